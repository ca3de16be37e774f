// Bundles src/ into the two assets of the Python package. The first line of each carries the hash
// of the sources, which a test compares, so that committed assets cannot go stale.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const assets = join(here, "..", "src", "caesura", "report", "assets");

function sources() {
  const names = readdirSync(join(here, "src"), { recursive: true }).map((name) => join("src", String(name)));
  const files = names.filter((name) => /\.(ts|css)$/.test(name));
  return [...files, "build.mjs", "package.json", "package-lock.json"].map((name) => name.replaceAll("\\", "/")).sort();
}

function hashOf(names) {
  const hash = createHash("sha256");
  for (const name of names) hash.update(`${name}\n`).update(readFileSync(join(here, name))).update("\n");
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

const stamp = `sources ${hashOf(sources())}`;
for (const [entry, out] of [["src/main.ts", "report.js"], ["src/style.css", "report.css"]]) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    write: false,
    plugins: [withoutInlineStyle],
    banner: { js: `/* ${stamp} */`, css: `/* ${stamp} */` },
  });
  const text = result.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--").replaceAll("</style", "<\\/style");
  writeFileSync(join(assets, out), text);
  console.log(`${out}: ${Math.round(text.length / 1024)} KB`);
}
