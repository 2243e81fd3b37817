// docs/gallery.md and its pictures, from those that scripts/gallery has drawn (scripts/gallery --docs).
//   node gallery_docs.mjs FOLDER DOCS SCENARIO...
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { launch } from "./browser.mjs";
import { webpOf } from "./webp.mjs";

const [folder, docs, ...scenarios] = process.argv.slice(2);
const sizes = [[1280, 640, 360], [390, 160, 346]]; // of the window; of the picture in the page

const browser = await launch(), page = await browser.newPage();
await mkdir(join(docs, "images/gallery"), { recursive: true });
for (const scenario of scenarios)
  for (const [window, width, height] of sizes)
    for (const theme of ["dark", "light"]) {
      const name = `${basename(scenario, ".xml")}-${window}-${theme}`;
      await writeFile(join(docs, "images/gallery", `${name}.webp`), await webpOf(page, await readFile(join(folder, `${name}.png`)), width, height));
    }
await browser.close();

const picture = (name, [window, width, height]) => `<picture>
<source media="(prefers-color-scheme: dark)" srcset="images/gallery/${name}-${window}-dark.webp">
<img loading="lazy" width="${width}" height="${height}" alt="${name}, ${window} pixels wide"
 src="images/gallery/${name}-${window}-light.webp"></picture>`;

async function section(scenario) {
  const name = basename(scenario, ".xml"), title = /<fathom[^>]* title="([^"]*)"/.exec(await readFile(scenario, "utf8"))?.[1] ?? "";
  return `### ${name}\n\n${title}\n\n${sizes.map((size) => picture(name, size)).join("\n")}\n`;
}

const path = join(docs, "gallery.md"), text = await readFile(path, "utf8"), mark = "<!-- scripts/gallery --docs writes what follows -->\n";
if (!text.includes(mark)) throw new Error(`${path} has no line ${mark}`);
await writeFile(path, text.slice(0, text.indexOf(mark) + mark.length) + "\n" + (await Promise.all(scenarios.map(section))).join("\n"));
process.exit(0);
