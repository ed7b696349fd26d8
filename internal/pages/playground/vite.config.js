import { defineConfig } from "vite";

const server = "http://127.0.0.1:8080"; // what `npm run dev` passes requests on to

// Two pages, built together so that they share what they can. The server shows
// playground.html at /playground and docs.html at /docs, the rest at /assets/.
export default defineConfig({
  build: {
    rolldownOptions: {
      input: ["playground.html", "docs.html"],
      checks: { moduleLevelDirective: false }, // "use client" means nothing here
    },
    assetsInlineLimit: 0, // a file each: the pages' policy allows no data: scripts
    chunkSizeWarningLimit: 4000, // KiB; the editor is that large
    reportCompressedSize: false,
    license: { fileName: "assets/licenses.txt" },
  },
  resolve: { alias: { "@scalar/agent-chat": new URL("nothing.js", import.meta.url).pathname } },
  worker: { format: "es" },
  server: { proxy: { "/graphql": { target: server, ws: true }, "/openapi.json": server, "/app/session": server, "/images": server } },
});
