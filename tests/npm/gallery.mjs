// Pictures of the first view of scenarios (scripts/gallery).
//   node gallery.mjs FATHOM FOLDER SCENARIO...
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { launch } from "./browser.mjs";
import { freePort, serve } from "./served.mjs";

const [program, folder, ...scenarios] = process.argv.slice(2);
const sizes = [[1280, 720], [390, 844]], themes = ["dark", "light"], SECONDS = 3; // of simulation until the first picture

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const browser = await launch();

/** Waits until the page has drawn some more pictures. */
const drawn = (page, count) => page.evaluate((n) => new Promise((done) => {
  const from = window.fathom.state().drawn, look = () => (window.fathom.state().drawn >= from + n ? done() : setTimeout(look, 50));
  look();
}), count);

async function take(scenario) {
  const name = basename(scenario, ".xml");
  const server = await serve(program, [scenario, "--http", `127.0.0.1:${freePort()}`]);
  const page = await browser.newPage({ viewport: { width: sizes[0][0], height: sizes[0][1] }, colorScheme: "dark" }), errors = [];
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  await page.goto(`${server.url}#picture=full`);
  await page.waitForFunction((t) => window.fathom?.state().vehicles?.length && window.fathom.state().time >= t, SECONDS, { timeout: 20000 }).then(() => page.locator("#pause").click()).catch(() => {}); // or it waits for software outside
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await drawn(page, 3);
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
    }
  }
  const about = await page.locator("#about").textContent();
  await page.close();
  await server.stop();
  if (errors.length) throw new Error(`${name}: ${errors.join("; ")}`);
  return { name, about, title: /<fathom[^>]* title="([^"]*)"/.exec(await readFile(scenario, "utf8"))?.[1] ?? "" };
}

const rows = [];
let failed = 0;
for (const scenario of scenarios)
  await take(scenario).then((row) => (rows.push(row), console.log(row.name)), (e) => (failed++, console.error(`not ok - ${e.message}`)));
await browser.close();
const pictures = ({ name }) => sizes.flatMap(([width]) => themes.map((theme) => `<a href="${name}-${width}-${theme}.png"><img loading="lazy" src="${name}-${width}-${theme}.png" alt="${name}, ${theme}, ${width} pixels wide"></a>`)).join("");
await writeFile(join(folder, "index.html"), `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fathom: gallery</title>
<style>body{font:14px system-ui;margin:24px;background:#f3f1ea;color:#17242c}img{height:220px;margin:0 8px 8px 0;border-radius:4px}h2{font-size:16px;margin:24px 0 4px}p{margin:0 0 8px;max-width:70em}</style>
<h1>Gallery</h1><p>What <code>fathom view NAME</code> shows first, for every scenario that comes with Fathom.</p>
${rows.map((r) => `<h2>${escape(r.name)}: ${escape(r.title)}</h2><p>${escape(r.about)}</p>${pictures(r)}`).join("\n")}</html>\n`);
process.exit(failed ? 1 : 0);
