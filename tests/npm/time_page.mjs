// How long the page takes for a frame, with few and with many vehicles. Not a test: it measures the machine at hand.
//   node tests/npm/time_page.mjs build/release/fathom [VEHICLES...]      100 and 2000, if none are named
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, serve, until } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const frames = 12, [program, ...numbers] = process.argv.slice(2), models = ["nps-auv-ii", "remus-100", "robotic-fish", "lauv"];
const head = `<fathom version="1" title="Many"><world dt="0.05 s" duration="3600 s" seed="1"><water density="1025 kg/m3"/><bottom depth="30 m"/></world>\n`;
/** Up to 200 each is written by itself, as people do; more are rows of 100. */
function scenario(count) {
  const side = Math.ceil(Math.sqrt(count)), rows = [];
  const row = (name, model, many, n) => `<vehicle name="${name}" model="${model}" ${many > 1 ? `count="${many}" spacing="4 0 0 m"` : ""} position="${4 * (n % side)} ${4 * Math.floor(n / side)} ${3 + (n % 7)} m" velocity="1 0 0 m/s"/>`;
  if (count <= 200) for (let n = 0; n < count; n++) rows.push(row(`v${n}`, models[n % models.length], 1, n));
  else for (let n = 0, k = 0; n < count; n += side, k++) rows.push(row(`row${k}`, models[k % models.length], Math.min(side, count - n), n));
  return `${head}${rows.join("\n")}\n</fathom>\n`;
}

const folder = await mkdtemp(join(tmpdir(), "fathom-time-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", ...(process.env.GPU ? [] : ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]), "--ignore-gpu-blocklist"],
});
console.log("vehicles  window      script  messages  whole    calls  triangles  pixels/1e3   (script: ms of the page's thread a frame; messages: the same a sample of all; whole: ms until a frame is there)");
for (const count of numbers.length ? numbers.map(Number) : [100, 2000]) {
  const file = join(folder, `${count}.xml`);
  await writeFile(file, scenario(count));
  for (const [width, height] of [[1280, 720], [640, 360]]) {
    const server = await serve(program, [file, "--http", `127.0.0.1:${freePort()}`]), page = await browser.newPage({ viewport: { width, height } });
    page.setDefaultTimeout(120000);
    await page.goto(server.url + (process.env.PICTURE ? `#picture=${process.env.PICTURE}` : ""));
    await until("all vehicles", async () => (await page.evaluate(() => window.fathom.state().vehicles.length)) === count, 120);
    await page.waitForTimeout(4000);
    const talker = await page.context().newCDPSession(page), spent = async () => (await talker.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value * 1000;
    await talker.send("Performance.enable", { timeDomain: "threadTicks" }); // of the page's own thread, however busy the machine is
    const pieces = () => page.evaluate(() => window.fathom.state().received.pieces), before = { time: await spent(), frames: await page.evaluate(() => window.fathom.state().drawn), pieces: await pieces() };
    await page.waitForTimeout(5000);
    const m = { time: (await spent()) - before.time, pieces: (await pieces()) - before.pieces, frames: (await page.evaluate(() => window.fathom.state().drawn)) - before.frames };
    const start = await spent();
    Object.assign(m, await page.evaluate((n) => window.fathom.measure(n), frames));
    m.script = ((await spent()) - start) / frames;
    m.messages = Math.max(0, (m.time - m.frames * m.script) / m.pieces);
    const f = (x, n, d = 1) => Number(x ?? NaN).toFixed(d).padStart(n);
    console.log(`${String(count).padStart(8)}  ${`${width} × ${height}`.padEnd(10)}${f(m.script, 8)}${f(m.messages, 10)}${f(m.whole, 9)}${f(m.calls, 7, 0)}${f(m.triangles, 11, 0)}${f((m.pixels[0] * m.pixels[1]) / 1e3, 12, 0)}${m.software ? "   software GL" : ""}`);
    await page.close();
    await server.stop();
  }
}
await browser.close();
await rm(folder, { recursive: true });
