// The moving picture of README.md (scripts/gallery --animation): some seconds of a few scenarios, picture by picture.
//   node animation.mjs FATHOM FILE.webp
import { readFile, writeFile } from "node:fs/promises";
import { launch } from "./browser.mjs";
import { freePort, serve, until } from "./served.mjs";
import { animationOf, webpOf } from "./webp.mjs";

const [program, file] = process.argv.slice(2);
const WIDTH = 720, HEIGHT = 405, RATE = 6; // pixels; pictures per second of simulation
/** [scenario, part of the address, s from which on, pictures] */
const clips = [
  ["showcase", "", 8, 14],
  ["fish-pool", "", 4, 14],
  ["remus-reef-planned", "tab=Senses", 26, 14],
  ["snookie-wall", "tab=Senses", 3, 18],
];

const browser = await launch(), stills = [], times = [];
const state = (page) => page.evaluate(() => ({ time: window.fathom.state().time, drawn: window.fathom.state().drawn }));

async function record([scenario, address, from, count]) {
  const server = await serve(program, [scenario, "--http", `127.0.0.1:${freePort()}`, "--rate", String(RATE), "--paused"]);
  const dt = Number(/dt="([\d.]+) s"/.exec(await readFile(`scenarios/${scenario}.xml`, "utf8"))[1]);
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
  await page.goto(`${server.url}#picture=full${address ? `&${address}` : ""}`);
  await until(`${scenario} to be shown`, () => page.evaluate(() => window.fathom?.state().selected && window.fathom.state().across > 0.01));
  await page.evaluate((steps) => window.fathom.link.call("/step", { steps }), Math.round(from / dt));
  await until(`${scenario} at ${from} s`, async () => (await state(page)).time >= from - dt);
  for (let i = 0; i < count; i++) {
    const before = await state(page);
    await page.locator("#step").click();
    await until("the next picture", async () => { const now = await state(page); return now.time > before.time && now.drawn > before.drawn + 1; });
    const seen = await state(page);
    await until("it to be drawn", async () => (await state(page)).drawn > seen.drawn + 1);
    stills.push(await webpOf(page, await page.screenshot(), WIDTH, HEIGHT, 0.62));
    times.push(i === count - 1 ? 700 : 1000 / RATE);
  }
  console.log(scenario);
  await page.close();
  await server.stop();
}

for (const clip of clips) await record(clip);
await browser.close();
await writeFile(file, animationOf(stills, times, WIDTH, HEIGHT));
process.exit(0);
