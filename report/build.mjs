// Bundles src/ into the assets of the Python package: the script and the style of the report and of
// the studio. The first line of each carries the hash of the sources, which a test compares, so that
// committed assets cannot go stale.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const home = join(here, "..", "src", "caesura");
const report = join(home, "output", "report", "assets");
const studio = join(home, "studio", "assets");

function sources() {
  const names = readdirSync(join(here, "src"), { recursive: true }).map((name) =>
    join("src", String(name)),
  );
  const files = names.filter((name) => /\.(ts|css)$/.test(name));
  return [...files, "build.mjs", "package.json", "package-lock.json"]
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}

function hashOf(names) {
  const hash = createHash("sha256");
  for (const name of names)
    hash
      .update(`${name}\n`)
      .update(readFileSync(join(here, name)))
      .update("\n");
  return hash.digest("hex").slice(0, 16);
}

// Plot writes a style element into every drawing, which the page's security policy would refuse.
// The rules that matter are in our own style sheet.
const withoutInlineStyle = {
  name: "without-inline-style",
  setup(builder) {
    builder.onLoad({ filter: /@observablehq\/plot\/src\/plot\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const changed = text.replace(/svg\.append\("style"\)\.text\(\s*`[^`]*`\s*\)/, "null");
      if (changed === text) throw new Error("Plot's style element is not where it was");
      return { contents: changed, loader: "js" };
    });
  },
};

const IS_OWNER = /^copyright\s+(\(c\)\s*)?\d/i;

/** The licences of all packages that are in a bundle, each text once, with whose it is. */
function notices(metafile) {
  const packages = new Set();
  const [{ inputs }] = Object.values(metafile.outputs);
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const found = bytesInOutput > 0 && path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) packages.add(found[1]);
  }
  const texts = new Map();
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence`);
    const lines = readFileSync(join(folder, file), "utf8").split(/\r?\n/);
    const owner = lines
      .filter((line) => IS_OWNER.test(line.trim()))
      .map((line) => line.trim())
      .join(" ");
    const text = lines
      .filter((line) => !IS_OWNER.test(line.trim()))
      .join(" ")
      .replace(/\s+/g, " ")
      .trim();
    texts.set(text, [...(texts.get(text) ?? []), [name, owner]]);
  }
  return [...texts]
    .map(([text, owners]) => {
      const names = new Map();
      for (const [name, owner] of owners) names.set(owner, [...(names.get(owner) ?? []), name]);
      const heads = [...names].map(([owner, own]) => `${own.join(", ")}: ${owner}`);
      return `${heads.join("\n")}\n${text}`;
    })
    .join("\n\n");
}

const stamp = `sources ${hashOf(sources())}`;
for (const [entry, assets, out] of [
  ["src/main.ts", report, "report.js"],
  ["src/style.css", report, "report.css"],
  ["src/studio/main.ts", studio, "studio.js"],
  ["src/studio/studio.css", studio, "studio.css"],
]) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    metafile: true,
    plugins: [withoutInlineStyle],
  });
  const told = notices(result.metafile);
  const head = `/* ${stamp} */\n${told ? `/*\n${told}\n*/\n` : ""}`;
  const text = (head + result.outputFiles[0].text)
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--")
    .replaceAll("</style", "<\\/style");
  writeFileSync(join(assets, out), text);
  console.log(`${out}: ${Math.round(text.length / 1024)} KB`);
}
