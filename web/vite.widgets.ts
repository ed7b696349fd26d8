import { build, defineConfig, type Plugin } from "vite";

// The page /widgets, and beside it the module /widgets.js, which has one file of its own: pages of
// other sites load it. The server has both in internal/web/widgets.

const target = "es2022";
const outDir = "dist-widgets";

/** The note that the module begins with. */
const note = "/* Workforce widgets. Lit: copyright Google LLC, BSD-3-Clause; licences at /app/licenses.txt. */";

/** Has a module do nothing where the elements are defined: a page may create the policy of templates once. */
function once(): Plugin {
  return {
    name: "once",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== "chunk") continue;
          if (file.imports.length + file.exports.length > 0) this.error(`${file.fileName} is not whole`);
          file.code = `${note}\nif (!customElements.get("workforce-ticket")) {\n${file.code.trim()}\n}\n`;
        }
      },
    },
  };
}

/** Builds the module once the page is built, which loads it. */
function widgets(): Plugin {
  return {
    name: "widgets",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: () => [{ tag: "script", attrs: { type: "module", src: "/widgets.js" }, injectTo: "head" }],
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: "warn",
        publicDir: false,
        plugins: [once()],
        build: {
          target,
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: "src/widgets/widgets.ts",
            output: { entryFileNames: "widgets.js", format: "es", codeSplitting: false },
          },
        },
      });
    },
  };
}

export default defineConfig({
  base: "/widgets/",
  publicDir: false,
  plugins: [widgets()],
  build: {
    target,
    outDir,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: "widgets.html",
      output: { entryFileNames: "[name]-[hash].js", assetFileNames: "[name]-[hash][extname]", codeSplitting: false },
    },
  },
});
