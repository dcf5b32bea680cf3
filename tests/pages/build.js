// Builds the files that a page loads: one module and one style sheet each, minified, named by their
// content. Standard input names the pages; standard output is the manifest's part that names the files.

import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** @typedef {{ module: string, sheets: string[] }} Page */
/** @type {{ out: string, folders: Record<string, string>, theme: string, pages: Record<string, Page> }} */
const site = JSON.parse(readFileSync(0, "utf-8"));

/** The file at an address below /static: of several folders that fit the first counts. @param {string} address */
function fileOf(address) {
  const [root, folder] = Object.entries(site.folders).find(([each]) => address.startsWith(`${each}/`)) ?? [];
  if (root === undefined || folder === undefined) throw new Error(`no folder has ${address}`);
  return join(folder, address.slice(root.length + 1));
}

/** Modules of one website import another's by address. @type {import("esbuild").Plugin} */
const addresses = {
  name: "addresses",
  setup: (each) => each.onResolve({ filter: /^\/static\// }, ({ path }) => ({ path: fileOf(path) })),
};

/** A page's sheets in their order, as one. @type {import("esbuild").Plugin} */
const sheets = {
  name: "sheets",
  setup: (each) => {
    each.onResolve({ filter: /^sheets:/ }, ({ path }) => ({ path: path.slice("sheets:".length), namespace: "sheets" }));
    each.onLoad({ filter: /.*/, namespace: "sheets" }, ({ path }) => ({
      contents: site.pages[path]?.sheets.map((sheet) => `@import "/static/${sheet}";`).join("\n") ?? "",
      loader: "css",
      resolveDir: site.out,
    }));
  },
};

const names = Object.keys(site.pages);
const { metafile } = await build({
  entryPoints: [
    ...names.map((name) => ({ in: fileOf(`/static/${site.pages[name]?.module}`), out: name })),
    ...names.map((name) => ({ in: `sheets:${name}`, out: name })),
    { in: fileOf(`/static/${site.theme}`), out: "theme" },
  ],
  absWorkingDir: site.out,
  assetNames: "[name]-[hash]",
  bundle: true,
  entryNames: "[name]-[hash]",
  format: "esm",
  loader: { ".woff2": "file" },
  metafile: true,
  minify: true,
  outdir: site.out,
  plugins: [addresses, sheets],
  target: "es2022",
});

/** What became of an entry. @param {string} name @param {string} suffix */
function made(name, suffix) {
  const found = Object.keys(metafile.outputs).filter((file) => file.endsWith(suffix)
    && basename(file).slice(0, -"-XXXXXXXX".length - suffix.length) === name);
  if (found.length !== 1) throw new Error(`${name}${suffix} was built ${found.length} times`);
  return basename(found[0] ?? "");
}

const pages = Object.fromEntries(names.map((name) => [name, { module: made(name, ".js"), sheet: made(name, ".css") }]));
process.stdout.write(JSON.stringify({ pages, theme: made("theme", ".js") }));
