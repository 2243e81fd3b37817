// Telemetry of a real vehicle over the model, on the page: archived over a simulation and over a recording, and live.
//   node check_overlay.mjs FATHOM SCENARIO [PICTURE.png]     a scenario with a vehicle named phoenix
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import dgram from "node:dgram";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fact, freePort, serve, until, STOPPED } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, scenario, picture] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "fathom-overlay-")), file = (name) => join(folder, name);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// A "real vehicle": the model 1 m farther north, 0.5 m farther west and 0.2 m deeper; nothing from 14 to 22 s; the end at 30 s.
const shift = { north: 1, east: -0.5, depth: 0.2 }, apart = Math.hypot(1, 0.5, 0.2), gap = [14, 22], end = 30;
execFileSync(program, ["run", scenario, "--duration", "40", "--csv", folder, "--log", file("plain.mcap"), "--quiet"]);
const [, ...table] = readFileSync(file("phoenix.csv"), "utf8").trim().split("\n").map((line) => line.split(",").map(Number));
const rows = table.filter(([t], i) => i % 2 === 0 && !(t > gap[0] && t < gap[1]) && t <= end);
writeFileSync(file("sea.csv"), ["time [s],north [m],east [m],depth [m],heading [rad]", ...rows.map((r) => [r[0], r[1] + shift.north, r[2] + shift.east, r[3] + shift.depth, r[6]].join(","))].join("\n"));
execFileSync(program, ["run", scenario, "--duration", "40", "--overlay", file("sea.csv"), "--log", file("laid.mcap"), "--quiet"], { stdio: "ignore" });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: picture ? { width: 1280, height: 760 } : { width: 900, height: 560 } });
page.setDefaultTimeout(240000);
const errors = [];
page.on("pageerror", (e) => errors.push(e.message));
const state = async () => ({ overlays: [], ...(await page.evaluate(() => window.fathom?.state())) }); // the page may not be there yet
const overlay = async () => (await state()).overlays[0];
const legend = page.getByRole("group", { name: "Model and measured" });
const says = (name) => legend.locator(`[data-value="${name}"]`).textContent();
const near = (found, wanted, tolerance, what) => assert.ok(Math.abs(found - wanted) <= tolerance, `${what}: found ${found}, expected ${wanted}`);
/** Measured and model of the same moment. */
const checkApart = (o) => {
  near(o.difference.distance, apart, 0.02, "distance");
  near(o.difference.north, -shift.north, 0.02, "north");
  near(o.difference.east, -shift.east, 0.02, "east");
  near(o.difference.depth, -shift.depth, 0.002, "depth");
  near(o.difference.heading, 0, 0.01, "heading");
};
/** Steps to a time, and waits until the page shows it. */
const stepTo = async (time) => {
  const steps = Math.round((time - (await state()).time) / 0.05);
  await page.evaluate((n) => window.fathom.link.call("/step", { steps: n }), steps);
  await until(`it is at ${time} s`, async () => Math.abs((await state()).time - time) < 0.06);
};
/** Pixels of the sea in the colour of what was measured. */
const orange = () => page.evaluate(() => {
  window.fathom.measure(1);
  const sea = document.getElementById("sea"), copy = document.createElement("canvas"), c = copy.getContext("2d");
  copy.width = sea.width;
  copy.height = sea.height;
  c.drawImage(sea, 0, 0);
  const data = c.getImageData(0, 0, copy.width, copy.height).data;
  let n = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] > 150 && data[i] > data[i + 2] + 50 && data[i] > data[i + 1] + 25) n++;
  return n;
});

// --- archived, over a simulation -------------------------------------------------------------------------------------

let server = await serve(program, [scenario, "--overlay", file("sea.csv"), "--http", `127.0.0.1:${freePort()}`, "--paused", "--speed", "0.25"]); // slow: a busy machine pauses late
await page.goto(`${server.url}#camera=follow&picture=full`); // the picture does not get coarser: pixels are counted
await until("the measured vehicle is there, before the first step", async () => (await overlay())?.fresh);
await page.getByRole("button", { name: "Start", exact: true }).click();
await until("both have moved", async () => (await overlay()).time > 2);
await page.getByRole("button", { name: "Pause", exact: true }).click();
await until("it is paused", async () => !(await state()).running);
await new Promise((done) => setTimeout(done, 500));
const still = await overlay();
checkApart(still);
assert.ok(still.time < gap[0], "the page was opened too late for this check");
near(still.time, (await state()).time, 0.06, "time of the measured vehicle while paused");
const there = table.find(([t]) => Math.abs(t - still.time) < 0.026);
near(still.position[0], there[1] + shift.north, 0.02, "north of the measured vehicle");
near(still.position[2], there[3] + shift.depth, 0.01, "its depth");
fact("the measured vehicle is 1.14 m beside the model, at the same time, also while it is paused");
for (const word of ["model", "measured", "model minus measured"]) await legend.getByText(word, { exact: true }).waitFor();
assert.equal(await says("distance"), "1.14 m");
assert.equal(await says("depth"), "−0.200 m");
assert.equal(await says("heading"), "0.0°");
fact("the legend has distance, depth and heading as numbers");
const seen = await orange();
await page.getByRole("checkbox", { name: "measured" }).uncheck();
const hidden = await orange();
await page.getByRole("checkbox", { name: "measured" }).check();
assert.ok(seen > 300 && hidden < 0.02 * seen, `${seen} pixels with the layer, ${hidden} without`);
fact("it is drawn in a colour of its own, and hidden with its layer");
await page.getByRole("tab", { name: "Plots", exact: true }).click();
for (const title of ["depth (m)", "yaw (°)"]) await page.locator(".plot .cap", { hasText: title }).filter({ hasText: "measured" }).first().waitFor();
await page.getByRole("img", { name: "distance between model and measured over time" }).waitFor();
fact("plots have a line of what was measured, and the difference");
if (picture) await page.screenshot({ path: picture });

await stepTo(gap[0] + 4);
const lost = await until("the measured vehicle is stale", async () => { const o = await overlay(); return !o.fresh && o; });
near(lost.time, gap[0], 0.11, "time of the last reading");
await until("the legend says so", async () => /^no telemetry since (13\.9|14\.0|14\.1) s$/.test(await says("note")));
assert.equal(await says("distance"), "–");
await stepTo(gap[1] + 2);
checkApart(await until("there is telemetry again", async () => ((await overlay()).fresh ? overlay() : null)));
fact("in a gap of the record nothing is shown, and after it again");
await stepTo(end + 4);
await until("the measured vehicle is stale", async () => !(await overlay()).fresh);
await until("the legend says so", async () => /^no telemetry since (29\.9|30\.0|30\.1) s$/.test(await says("note")));
fact("after the end of the record the model goes on alone");

await page.getByRole("button", { name: "Reset", exact: true }).click();
const again = await until("it begins again", async () => { const o = await overlay(); return o.fresh && o.position[0] < table[100][1] + shift.north && o; });
checkApart(again);
fact("after a reset both begin again, in step");
assert.equal(await server.stop(), STOPPED);

// --- recordings ------------------------------------------------------------------------------------------------------

for (const [name, args] of [["a recording that has the telemetry", [file("laid.mcap")]], ["a recording with a record laid over it", [file("plain.mcap"), "--overlay", file("sea.csv")]]]) {
  server = await serve(program, [...args, "--paused", "--http", `127.0.0.1:${freePort()}`]);
  await page.goto(server.url);
  await until("the recording is there", async () => (await state()).overlays.length);
  for (const time of [25, 5, 3]) {
    await page.evaluate((t) => window.fathom.link.play(false, 1, t), time);
    const o = await until(`${name} is at ${time} s`, async () => { const now = await overlay(); return Math.abs(now.time - time) < 0.11 && now.fresh && now; });
    checkApart(o);
  }
  await page.evaluate(() => window.fathom.link.play(false, 1, 19));
  await until("no telemetry in the gap", async () => !(await overlay()).fresh);
  fact(`${name} is sought, and both are in step`);
  assert.equal(await server.stop(), STOPPED);
}

// --- live ------------------------------------------------------------------------------------------------------------

const port = freePort(), socket = dgram.createSocket("udp4");
server = await serve(program, [scenario, "--overlay", `udp:${port}`, "--http", `127.0.0.1:${freePort()}`]);
await page.goto(server.url);
await until("the page waits for telemetry", async () => (await state()).overlays.length && (await says("note")) === "no telemetry yet");
let t = 0;
const timer = setInterval(() => {
  t += 0.1;
  socket.send(`t=${t.toFixed(1)} north=12 east=3 depth=4.5 heading[deg]=90`, port, "127.0.0.1");
  socket.send("no telemetry\0\xff", port, "127.0.0.1");
}, 100);
const live = await until("lines come", async () => { const o = await overlay(); return o.fresh && o.position && o; });
assert.deepEqual(live.position.map((x) => Math.round(1e6 * x) / 1e6), [12, 3, 4.5]);
near(live.heading, Math.PI / 2, 1e-6, "heading");
fact("lines of a vehicle that come while it runs are laid over the model");
clearInterval(timer);
const last = (await overlay()).time;
await until("it notices the silence", async () => !(await overlay()).fresh && /^no telemetry since/.test(await says("note")));
assert.ok((await state()).time > last + 2);
fact("the page says since when no telemetry came");
socket.close();
assert.equal(await server.stop(), STOPPED);
assert.deepEqual(errors, []);
await browser.close();
