import { defineConfig } from "vitest/config";

// The files are served from /app/ by the Go server, which embeds them.
export default defineConfig({
  base: "/app/",
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: "licenses.txt" },
    rolldownOptions: {
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
      },
    },
  },
  test: { include: ["test/*.test.ts"], setupFiles: ["test/browser.ts"] },
});
