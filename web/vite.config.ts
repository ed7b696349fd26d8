import { defineConfig } from "vitest/config";
import { licencesOfWorker, noteOfWorker } from "./licenses.js";

const licences = "licenses.txt";

// The files are served from /app/ by the Go server, which embeds them.
export default defineConfig({
  base: "/app/",
  plugins: [licencesOfWorker(licences)],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: licences },
    rolldownOptions: {
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
      },
    },
  },
  worker: {
    plugins: () => [noteOfWorker()],
    rolldownOptions: {
      output: { entryFileNames: "face-[name]-[hash].js", assetFileNames: "[name]-[hash][extname]" },
    },
  },
  test: { include: ["test/*.test.ts"], setupFiles: ["test/browser.ts"] },
});
