import { createHash } from "node:crypto";
import { build, type Plugin, type Rolldown } from "vite";
import { defineConfig } from "vitest/config";
import { licencesOfWorker, noteOfWorker } from "./licenses.js";

const licences = "licenses.txt";

const base = "/app/";
const target = "es2022";

/** What the service worker keeps: the start, the frame and the screens of the phone, and what they import. */
const kept = /\/web\/(index\.html|src\/(shell\.ts|screens\/sign-in\.ts|screens\/me\/|phone\/))/;

/** The paths of the files that the service worker keeps, sorted. */
function filesToKeep(bundle: Rolldown.OutputBundle): string[] {
  const names = Object.values(bundle).flatMap((file) =>
    file.type === "chunk" ? (kept.test(file.facadeModuleId ?? "") ? [file.fileName] : []) : [],
  );
  for (const name of names) {
    const file = bundle[name];
    if (file?.type === "chunk") names.push(...file.imports.filter((i) => !names.includes(i)));
  }
  const styles = Object.keys(bundle).filter((name) => name.endsWith(".css"));
  return [...new Set([...names, ...styles])].sort().map((name) => base + name);
}

/** Builds the service worker, which is one file that knows what it keeps, once the app is built. */
function serviceWorker(): Plugin {
  let files: string[] = [];
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        files = filesToKeep(bundle);
      },
    },
    async closeBundle() {
      const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 8);
      await build({
        configFile: false,
        logLevel: "warn",
        base,
        publicDir: false,
        define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
        build: {
          target,
          emptyOutDir: false,
          rolldownOptions: { input: "src/phone/worker.ts", output: { entryFileNames: "sw.js", format: "iife" } },
        },
      });
    },
  };
}

// The files are served from /app/ by the Go server, which embeds them.
export default defineConfig({
  base,
  plugins: [licencesOfWorker(licences), serviceWorker()],
  build: {
    target,
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
