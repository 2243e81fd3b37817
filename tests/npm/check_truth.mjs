// What the page shows is what the world has: bottoms from files, parameters, plots, instruments, names, the clock.
//   node check_truth.mjs FATHOM SCENARIOS      the folder of the shipped scenarios
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { fact, freePort, serve, STOPPED, until } from "./served.mjs";

const [program, scenarios] = process.argv.slice(2);
const browser = await launch(), errors = [], folder = await mkdtemp(join(tmpdir(), "fathom-truth-"));
const at = () => ["--http", `127.0.0.1:${freePort()}`];

async function open(url, size = { width: 900, height: 560 }) {
  const page = await browser.newPage({ viewport: size });
  page.setDefaultTimeout(240000);
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(m.text()) && errors.push(m.text()));
  page.on("console", (m) => /NaN/.test(m.text()) && errors.push(m.text()));
  await page.goto(url);
  await page.waitForFunction(() => window.fathom?.state().vehicles?.length > 0);
  return page;
}
const state = (page) => page.evaluate(() => window.fathom.state());
const button = (page, name) => page.getByRole("button", { name, exact: true });
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
/** The next message of a topic, as the page gets it. */
const message = (page, topic) => page.evaluate((name) => new Promise((done) => {
  const stop = window.fathom.link.listen(name, (m) => { setTimeout(() => stop()); done(JSON.parse(JSON.stringify(m))); });
}), topic);
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} and ${b}`);
/** Rows of a table with a name: { "velocity starboard": "0.12 m/s" }. */
const rows = (page, name) => page.getByRole("table", { name, exact: true }).evaluate((t) => Object.fromEntries([...t.rows].map((r) => [r.cells[0].textContent, [...r.cells].slice(1).map((c) => c.textContent).join(" | ")])));
const number = (text) => Number(text.replace("−", "-").split(" ")[0]);

// --- a bottom from a file ---
let server = await serve(program, [join(scenarios, "bay-survey.xml"), ...at()]);
let page = await open(server.url);
await until("the bottom below the vehicle", async () => (await state(page)).ground > 0);
const echo = await page.evaluate(() => new Promise((done) => {
  const stop = window.fathom.link.listen("/lauv/below", (m) => {
    const s = window.fathom.state();
    if (!Number.isFinite(m.range) || s.ground === null) return;
    setTimeout(() => stop());
    done({ range: m.range, ground: s.ground, depth: s.vehicles[0].position[2] });
  });
}));
near(echo.ground - echo.depth, echo.range, 0.05 * echo.range, "height above the drawn bottom and the range of the echosounder");
await page.getByText(/m above the bottom/).waitFor();
await page.getByText(/grid 10 m, contours 5 m/).waitFor();
fact(`a bottom from a file is drawn: ${(echo.ground - echo.depth).toFixed(2)} m below the vehicle, its echosounder reads ${echo.range.toFixed(2)} m`);

// --- plots are never blank: this vehicle has no setpoint for speed at some times, and none for pitch ---
await tab(page, "Plots");
const ink = (name) => page.getByRole("img", { name: `${name} over time`, exact: true }).locator("canvas").first().evaluate((c) => {
  const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height), seen = new Map();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) seen.set((data[i] >> 4) * 256 + (data[i + 1] >> 4) * 16 + (data[i + 2] >> 4), 1);
  return { colours: seen.size, high: c.clientHeight };
});
for (const name of ["depth", "yaw", "forward speed", "pitch", "roll"])
  await until(`a line in the plot of ${name}`, async () => (await ink(name)).colours >= 3);
assert.ok((await ink("depth")).high >= 120, "the plot is too low");
fact("five plots have lines and axes");
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- orders for the rudder only: the autopilot's setpoints are not known, and their plots have lines all the same ---
server = await serve(program, [join(scenarios, "phoenix-turn.xml"), ...at()]);
page = await open(server.url);
await tab(page, "Plots");
for (const name of ["depth", "yaw", "forward speed"]) await until(`a line of ${name} without a setpoint`, async () => (await ink(name)).colours >= 3);
fact("plots without a setpoint are not blank");

// --- parameters ---
const other = await open(server.url);
for (const p of [page, other]) {
  await tab(p, "Params");
  await p.getByRole("searchbox", { name: "Find parameter" }).fill("/water/density");
}
const density = (p) => p.getByRole("spinbutton", { name: "/water/density value" });
const begun = Number(await density(page).inputValue());
await density(page).fill("1100");
await density(page).press("Enter");
await until("the second viewer to show it", async () => Number(await density(other).inputValue()) === 1100);
await button(page, "Reset").click();
for (const p of [page, other]) await until("the value of the start after Reset", async () => Number(await density(p).inputValue()) === begun);
await density(page).fill("1090");
await density(page).press("Enter");
await until("the change", async () => Number(await density(other).inputValue()) === 1090);
const before = (await until("some time", async () => ((await state(page)).time > 2 ? state(page) : null))).time;
await button(page, "Again with these values").click();
await until("the start again", async () => (await state(page)).time < before - 1);
for (const p of [page, other]) await until("the values to be kept", async () => Number(await density(p).inputValue()) === 1090);
fact("parameters show every change, of other viewers and of Reset; \"Again with these values\" keeps them");
await page.getByRole("searchbox", { name: "Find parameter" }).fill("");
const texts = await page.getByRole("list", { name: "Parameters" }).evaluate((l) => l.innerText);
assert.doesNotMatch(texts, /1000000000/);
const sliders = await page.getByRole("list", { name: "Parameters" }).getByRole("slider").evaluateAll((all) => all.map((s) => [s.getAttribute("aria-label"), Number(s.min), Number(s.max), Number(s.value)]));
for (const [name, low, high, value] of sliders) if (value > 0) assert.ok(low >= 0 && high <= 4.0001 * value, `${name}: ${low} … ${high} for ${value}`);
fact(`${sliders.length} sliders reach from 0 to four times their value at most`);
await other.close();

// --- step, clock ---
await button(page, "Pause").click();
await page.getByText("paused").waitFor();
const clock = () => page.getByRole("status", { name: "Simulation time" }).textContent();
for (const [seconds, text] of [[59.94, "59.9 s"], [59.96, "01:00.0 s"], [119.97, "02:00.0 s"], [125, "02:05.0 s"]])
  assert.equal(await page.evaluate((s) => window.fathom.clock(s), seconds), text);
fact("the clock shows no 60th second");

// --- a moment of the past ---
await button(page, "Start").click();
await until("some seconds", async () => (await state(page)).time > 5);
const line = page.getByRole("slider", { name: "Timeline" }), box = await line.boundingBox();
await page.mouse.click(box.x + 8 + (box.width - 16) * (3 / 60), box.y + 28);
await page.locator("#moment").filter({ hasText: /phoenix at 3\.\d s: depth .* m, yaw .*°, forward speed .* m\/s/ }).waitFor();
fact("a click on the timeline of a run shows what was then");

// --- actuators in the units of the file, another vehicle ---
await tab(page, "Orders");
await page.getByRole("slider", { name: /^Order / }).first().waitFor();
const orders = await page.getByRole("slider", { name: /^Order / }).evaluateAll((all) => all.map((s) => [s.getAttribute("aria-label"), Number(s.max)]));
const scene = await message(page, "/scene");
for (const a of Object.values(scene.actuators)) {
  const shown = orders.find(([name]) => name === `Order ${a.name}`);
  if (shown) near(shown[1], a.unit === "rad" ? (a.high * 180) / Math.PI : a.unit === "rad/s" ? (a.high * 30) / Math.PI : a.high, 1e-6 * Math.abs(shown[1]), `${a.name} in its unit of the file`);
}
assert.ok(orders.length > 4 && Object.values(scene.actuators).some((a) => a.unit === "rad"));
await button(page, "Spawn another").click();
await until("the second one", async () => (await state(page)).vehicles.some((v) => v.name === "phoenix-2"));
fact("actuators are in degrees and revolutions per minute; another vehicle is spawned where the scenario has no room");
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- a step of a world that ticks every millisecond ---
server = await serve(program, [join(scenarios, "showcase.xml"), ...at(), "--paused"]);
page = await open(server.url);
const step = async () => {
  const from = await state(page);
  await button(page, "Step").click();
  return until("a step that is seen", async () => {
    const now = await state(page);
    return now.time > from.time && now.vehicles.some((v, i) => v.position.some((p, k) => p !== from.vehicles[i].position[k])) ? now.time - from.time : 0;
  });
};
const stepped = [await step(), await step(), await step()];
for (const s of stepped) assert.ok(s >= 0.009 && s < 0.2, `a step of ${s} s`);
await until("the clock to show the world's time", async () => Math.abs(Number((await clock()).replace(" s", "")) - (await state(page)).time) < 0.051);
fact(`Step goes on by a picture: ${stepped.map((s) => s.toFixed(3)).join(", ")} s`);
await button(page, "Start").click();
await page.getByRole("list", { name: "Vehicles" }).getByRole("button", { name: /^remus/ }).click();
await tab(page, "Senses");
await page.getByText(/20 beams × 40 ranges, in the vertical plane/).or(page.getByRole("img", { name: "sonar", exact: true })).first().waitFor();
const echoes = await message(page, "/remus/sonar");
assert.ok(Object.keys(echoes.beam_directions).length > 1);
await until("the names of things", async () => (await state(page)).things.includes("quay"));
fact("REMUS's sonar is a picture in Senses; the quay has a name");
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- a pinned gain beside the response ---
server = await serve(program, [join(scenarios, "remus-100-dive.xml"), ...at(), "--speed", "5"]);
page = await open(server.url);
const gain = await page.waitForFunction(() => window.fathom.parameters().find((p) => /\/depth\/kp$/.test(p)) ?? null).then((h) => h.jsonValue());
await tab(page, "Params");
await button(page, `Pin ${gain}`).click();
await tab(page, "Overview");
const response = page.getByLabel("Step response of depth", { exact: true });
await page.getByRole("slider", { name: `${gain} slider` }).waitFor();
await page.getByRole("tab", { name: "Orders", exact: true }).click();
const wanted = page.getByRole("spinbutton", { name: "Desired depth" });
const depth0 = (await state(page)).vehicles[0].position[2];
await wanted.fill(String(+(depth0 + 2).toFixed(2)));
await wanted.press("Enter");
await tab(page, "Overview");
await response.filter({ hasText: /rise time [\d.]+ s, overshoot [\d.]+ %, settling time/ }).waitFor();
fact(`a gain is pinned beside the response: ${await response.textContent()}`);
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- instruments ---
server = await serve(program, [join(scenarios, "remus-reef.xml"), ...at()]);
page = await open(server.url);
await tab(page, "Senses");
await until("the Doppler log", async () => (await page.getByRole("table", { name: "dvl", exact: true }).count()) > 0);
const both = await until("a reading", async () => {
  const table = await rows(page, "dvl"), m = await message(page, "/remus/dvl");
  return table["velocity starboard"] ? { table, m } : null;
});
near(number(both.table["velocity starboard"]), -both.m.velocity.y, 0.03, "velocity to starboard, against the message's to port");
near(number(both.table["velocity forward"]), both.m.velocity.x, 0.1, "velocity ahead");
near(number(both.table["velocity down"]), -both.m.velocity.z, 0.05, "velocity down");
assert.ok(both.table.altitude.endsWith(" m") && (await rows(page, "imu"))["yaw rate"].endsWith("°/s"));
fact("a Doppler log and an inertial sensor have panels in the axes of the page");
const things = (await state(page)).things;
assert.ok(["wreck-hull", "wreck-bridge"].every((name) => things.includes(name)), `${things}`);
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- fish ---
server = await serve(program, [join(scenarios, "fish-pool.xml"), ...at()]);
page = await open(server.url);
const dots = await page.getByRole("list", { name: "Vehicles" }).locator("button").evaluateAll((all) => Object.fromEntries(all.map((b) => [b.dataset.name, getComputedStyle(b.querySelector("i")).backgroundColor.match(/\d+/g).map(Number)])));
const most = (rgb) => rgb.indexOf(Math.max(...rgb));
assert.deepEqual([most(dots.red), most(dots.green), most(dots.blue)], [0, 1, 2]);
await page.locator(".thing", { hasText: "first-column" }).or(page.locator(".thing", { hasText: "second-column" })).first().waitFor();
const pool = (await state(page)).pools[0];
[4, 1.5, 6].forEach((side, k) => near(pool[k], side, 1e-6, "a side of the pool"));
fact("fish called red, green and blue have these colours; columns have names; the pool is a box of its size");
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- a run that waits ---
server = await serve(program, [join(scenarios, "ardupilot-bluerov2.xml"), ...at()]);
page = await open(server.url);
await page.locator("#waiting").filter({ hasText: /waits for the software that controls it.*SITL at UDP/ }).waitFor();
fact("a run that waits for SITL says so");
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- a server that was not started yet ---
const port = freePort(), stopped = spawn(program, ["serve", join(scenarios, "phoenix-turn.xml"), "--stopped", "--port", "0", "--http", `127.0.0.1:${port}`, "--quiet"], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => stopped.kill("SIGKILL"));
for await (const text of createInterface(stopped.stdout)) if (/page at/.test(text)) break;
page = await open(`http://127.0.0.1:${port}`);
assert.equal((await state(page)).time, 0);
assert.deepEqual((await state(page)).vehicles.map((v) => v.name), ["phoenix"]);
fact("a server that is stopped shows its vehicles before the first step");
await page.close();
const gone = once(stopped, "exit");
stopped.kill("SIGTERM");
await gone;

// --- the end of a scenario ---
const brief = join(folder, "brief.xml");
await writeFile(brief, (await readFile(join(scenarios, "phoenix-turn.xml"), "utf8")).replace(/duration="[^"]*"/, 'duration="2 s"'));
server = await serve(program, [brief, ...at()], { ends: true });
page = await open(server.url);
await until("the end", async () => !(await state(page)).running);
near((await state(page)).time, 2, 1e-6, "the time at the end");
await page.getByText("ended", { exact: true }).waitFor();
await button(page, "Start").click();
await until("to go on", async () => (await state(page)).time > 2.2);
await page.close();
assert.equal(await server.stop(), STOPPED);
fact("a scenario stops at its duration, and Start continues");

assert.deepEqual(errors, []);
fact("no error in the console");
await browser.close();
await rm(folder, { recursive: true });
