import { existsSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** The packages that a worker is built of, as folders, in the order of their names. */
const folders = new Set<string>();

/** Notes what the worker is built of, which the list of licences does not look into. */
export function noteOfWorker(): Plugin {
  return {
    name: "note-of-worker",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const ids = file.type === "chunk" ? file.moduleIds : [];
        for (const id of ids) {
          const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
          if (folder) folders.add(folder);
        }
      }
    },
  };
}

/** Adds the licences of the worker and of its models to the list. */
export function licencesOfWorker(list: string): Plugin {
  return {
    name: "licences-of-worker",
    generateBundle: {
      order: "post", // the list is written in this step
      handler(_options, bundle) {
        const asset = bundle[list];
        if (asset?.type !== "asset") this.error(`no ${list}`);
        const all = [asset.source, ...[...folders].sort().map(licence), text("models.txt")];
        asset.source = `${[...all, "## Apache-2.0", text("Apache-2.0.txt")].join("\n\n")}\n`;
      },
    },
  };
}

/** A package with its licence. Throws Error where its text is unknown. */
function licence(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const heading = `## ${name} - ${version} (${license})`;
  if (existsSync(`${folder}/LICENSE`)) return `${heading}\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}`;
  if (license !== "Apache-2.0") throw new Error(`no licence in ${folder}`);
  return `${heading}\n\nThe licence stands at the end.`;
}

function text(name: string): string {
  return readFileSync(new URL(`licenses/${name}`, import.meta.url), "utf8").trim();
}
