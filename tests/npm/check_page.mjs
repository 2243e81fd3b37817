// The page in Debian's Chromium, driven as a person drives it.
//   node check_page.mjs FATHOM SCENARIO...     phoenix-turn, phoenix-mission and snookie-wall
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fact, freePort, serve, until } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, turn, mission, wall] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "fathom-page-")), log = join(folder, "run.mcap"), other = join(folder, "other.mcap"), csv = join(folder, "csv");
execFileSync(program, ["run", turn, "--duration", "5", "--log", log, "--csv", csv, "--quiet"]);
execFileSync(program, ["run", turn, "--duration", "5", "--log", other, "--set", "/water/density=1015 kg/m3", "--quiet"]);
const port = freePort(), where = ["--http", `127.0.0.1:${port}`];
let server = await serve(program, [turn, ...where]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const errors = [];
async function open() {
  const made = await browser.newPage({ viewport: { width: 800, height: 480 }, acceptDownloads: true });
  made.setDefaultTimeout(60000);
  made.on("pageerror", (e) => errors.push(e.message));
  made.on("console", (m) => m.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(m.text()) && errors.push(m.text()));
  await made.addInitScript(() => (navigator.getGamepads = () => [window.pad ?? null])); // a gamepad that we hold
  return made;
}
let page = await open(), packed = 0;
const state = (of = page) => of.evaluate(() => window.fathom.state());
const button = (name) => page.getByRole("button", { name, exact: true });
const tab = (name) => page.getByRole("tab", { name, exact: true }).click();
/** The next message of a topic that is as wanted, by the page's own connection. */
const message = (topic, test) => page.evaluate(([name, body]) => new Promise((done, failed) => {
  const wanted = new Function("m", `return ${body}`), stop = window.fathom.link.listen(name, (m) => wanted(m) && (done(true), setTimeout(() => stop())));
  setTimeout(() => failed(new Error(`no message of ${name} with ${body}`)), 60000);
}), [topic, test]);
/** Does something until such a message comes: on a machine with much to do, a hand may miss what is drawn a second later. */
async function doUntil(topic, test, act) {
  let come = false;
  const wait = message(topic, test).then(() => (come = true));
  while (!come) {
    await act();
    await Promise.race([wait, page.waitForTimeout(1000)]);
  }
}

page.on("response", (r) => (packed += Number(r.headers()["content-length"] ?? 0)));
await page.goto(server.url);
await until("vehicles", async () => (await state()).vehicles.length > 0);
assert.ok(await page.getByRole("img", { name: "Sea", exact: true }).isVisible());
const first = await state();
await until("a vehicle to move", async () => {
  const now = await state();
  return now.vehicles.some((v, i) => Math.hypot(...v.position.map((p, k) => p - first.vehicles[i].position[k])) > 0.02);
});
fact("the page shows the sea, and its vehicles move");
assert.ok(packed > 1e5 && packed < 1.5e6, `the page is ${packed} bytes`);
const paint = await until("a paint", () => page.evaluate(() => performance.getEntriesByType("paint")[0]?.startTime));
fact(`it is ${(packed / 1e3).toFixed(0)} kB packed; its first paint was after ${paint.toFixed(0)} ms here`);

const name = first.vehicles[0].name, items = page.getByRole("list", { name: "Vehicles" }).getByRole("listitem");
await until("the list", async () => (await items.count()) === first.vehicles.length);
await items.first().getByRole("button").click();
await page.getByRole("heading", { name, exact: true }).waitFor();
fact("a vehicle is picked from the list and its panel opens");

await button("Pause").click();
await page.getByText("paused").waitFor();
const still = (await state()).time;
await button("Step").click();
await until("one step", async () => (await state()).time > still);
await page.waitForTimeout(300);
const stepped = (await state()).time;
await page.waitForTimeout(500);
assert.equal((await state()).time, stepped);
fact("it pauses and steps");

// Every control has a role and a name, in each panel.
const talker = await page.context().newCDPSession(page);
const roles = new Set(["button", "slider", "spinbutton", "searchbox", "textbox", "combobox", "checkbox", "tab", "link", "img", "image", "list", "dialog", "tabpanel", "Canvas"]);
let controls = 0;
for (const panel of ["Overview", "Plots", "Senses", "Params", "Orders", "Faults"]) {
  await tab(panel);
  const { nodes } = await talker.send("Accessibility.getFullAXTree");
  const bare = nodes.filter((n) => !n.ignored && roles.has(n.role?.value) && (controls++, !n.name?.value));
  assert.deepEqual(bare.map((n) => `${panel}: ${n.role.value}`), []);
}
assert.equal(await page.getByRole("status", { name: "Simulation time" }).count(), 1);
for (const label of ["Start", "Pause", "Step", "Reset", "Screenshot"]) assert.equal(await button(label).count(), 1);
fact(`${controls} controls and pictures in six panels have roles and names`);
await button("Start").click();
await until("to go on", async () => (await state()).time > stepped + 0.2);

await tab("Params");
await page.getByRole("searchbox", { name: "Find parameter" }).fill("/water/density");
const density = page.getByRole("spinbutton", { name: "/water/density value" });
await density.fill("1100");
await density.press("Enter");
await until("the value to come back", () => page.evaluate(() => window.fathom.parameter("/water/density") === 1100));
await until("the vehicle to respond by rising", async () => (await state()).vehicles[0].position[2] < first.vehicles[0].position[2] - 0.05);
fact("a parameter is found and changed, and the vehicle responds");

await tab("Faults");
const dead = page.getByRole("button", { name: /dead$/ }).first();
await dead.click();
const part = (await dead.getAttribute("aria-label")).replace(/ dead$/, "");
await until("the fault to act", () => page.evaluate((path) => window.fathom.parameter(path) === 0, `/${name}/${part}/efficiency`));
fact("a fault is injected");

await button("Reset").click();
await until("the start", async () => (await state()).time < 1.5);
fact("reset goes back to the start");

async function download(press) {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return readFile(await file.path());
}
const shot = await download(() => button("Screenshot").click());
assert.equal(shot.subarray(1, 4).toString(), "PNG");
assert.ok(shot.readUInt32BE(16) > 200 && shot.length > 5000);
await button("Record video").click();
await page.waitForTimeout(1200);
const film = await download(() => button("Record video").click());
const cinema = await browser.newPage();
const size = await cinema.evaluate(async (bytes) => {
  const video = document.createElement("video");
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "video/webm" }));
  await video.play();
  return [video.videoWidth, video.videoHeight];
}, film.toString("base64")).catch((e) => String(e));
await cinema.close();
assert.ok(size[0] > 200 && size[1] > 200, `a film of ${size}`);
fact(`a screenshot (${shot.length} bytes) and a film (${film.length} bytes, it plays) are saved`);

assert.equal(await server.stop(), 0);
await until("the loss to be shown", () => page.getByText("connection lost").isVisible());
server = await serve(program, [mission, ...where]);
await until("to be connected again", async () => (await state()).connected && (await state()).vehicles.length > 0);
fact("it survives a restart of the server, with another scenario");

// --- where a vehicle is to go ---
await page.getByRole("img", { name: "Sea", exact: true }).focus();
await message("/waypoints", "m.vehicles.phoenix.length === 4");
await page.keyboard.press("m");
const handle = page.getByRole("button", { name: /^Waypoint 1 of phoenix/ });
await handle.waitFor();
await page.waitForTimeout(500);
const placed = await handle.getAttribute("aria-label");
await doUntil("/waypoints", "Math.abs(m.vehicles.phoenix[0].position[0] - 30) > 0.5", async () => {
  const box = await handle.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 25, box.y + box.height / 2 + 40, { steps: 4 });
  await page.mouse.up();
});
assert.notEqual(await handle.getAttribute("aria-label"), placed);
await doUntil("/waypoints", "m.vehicles.phoenix[0].position[2] > 5.4", () => handle.press("PageDown"));
fact("a waypoint is dragged on the map, and moved by keys");

const demand = (what, test) => message("/phoenix/autopilot", `((v) => ${test})(m.values[m.names.indexOf("${what}.demand")])`);
await tab("Orders");
const depth = page.getByRole("spinbutton", { name: "Desired depth" });
await depth.fill("4.5");
await Promise.all([demand("depth", "v === 4.5"), depth.press("Enter")]);
await page.getByRole("img", { name: "Sea", exact: true }).focus();
await button("Drive").click();
await Promise.all([demand("speed", "v > 0.9"), (async () => { for (let i = 0; i < 10; i++) await page.keyboard.press("+"); })()]);
await Promise.all([demand("heading", "v > 0.6 && v < 1.6"), page.evaluate(() => (window.pad = { connected: true, axes: [1, 0, 0, 0], buttons: [] }))]);
await page.evaluate(() => (window.pad = null));
await page.getByText(/^driving phoenix: heading/).waitFor();
await page.keyboard.press("Escape");
fact("a depth is desired; the vehicle is driven by keys and by a gamepad");

await button("Open in a window of its own").click();
await tab("Senses");
await button("Open in a window of its own").click();
assert.equal(await page.getByRole("dialog").count(), 2);
for (let left = 2; left; left--) await page.getByRole("button", { name: /^Close phoenix/ }).first().click();
assert.equal(await page.getByRole("dialog").count(), 0);
fact("several detail windows are open at once");
await server.stop();

// --- recordings ---
server = await serve(program, [log, other, ...where, "--paused"]);
await page.goto(server.url);
await until("the vehicles of both", async () => (await state()).vehicles.length === 2);
const line = page.getByRole("slider", { name: "Timeline" });
await until("its length", async () => Number(await line.getAttribute("aria-valuemax")) > 1);
await tab("Plots");
await button("Start").click();
await until("the recording to play", async () => (await state()).time > 0.3);
await until("the end", async () => (await state()).time > 4.9);
fact("two recordings are played in one sea");

// What is plotted is what the run wrote as CSV, and the difference is that of the two runs.
const table = (await download(() => button("Save plots as CSV").click())).toString().trim().split("\n").map((row) => row.split(","));
const column = (title) => table[0].findIndex((cell) => cell.startsWith(title));
const rows = (await readFile(join(csv, `${name}.csv`), "utf8")).trim().split("\n").map((row) => row.split(","));
const field = (title) => rows[0].findIndex((cell) => cell.startsWith(title));
let compared = 0;
for (const row of table.slice(1)) {
  const truth = rows.slice(1).find((r) => Math.abs(Number(r[0]) - Number(row[0])) < 1e-9);
  if (!truth || !row[column("depth")]) continue;
  assert.ok(Math.abs(Number(truth[field("z")]) - Number(row[column("depth (m)")])) < 1e-6, `depth at ${row[0]} s`);
  assert.ok(Math.abs(Number(truth[field("u")]) - Number(row[column("forward speed")])) < 1e-6, `speed at ${row[0]} s`);
  compared++;
}
assert.ok(compared > 20, `${compared} rows`);
const now = await state(), [a, b] = ["phoenix", "phoenix′"].map((n) => now.vehicles.find((v) => v.name === n).position);
const apart = Number(table.at(-1)[column("distance")]);
assert.ok(apart > 0 && Math.abs(apart - Math.hypot(...a.map((x, i) => x - b[i]))) < 1e-6, `${apart} m apart`);
fact(`${compared} rows of the saved table are those of --csv, and the two runs are ${apart.toFixed(4)} m apart at the end`);

await line.focus();
await line.press("Home");
await until("the start", async () => (await state()).time < 0.2);
await button("Loop").click();
await line.press("End");
await button("Start").click();
await until("to begin again", async () => (await state()).time < 2 && (await state()).time > 0.2);
await button("Loop").click();
await button("Pause").click();
fact("a recording is sought and looped");

// A link reproduces the view.
await page.getByRole("img", { name: "Sea", exact: true }).focus();
await page.keyboard.press("c");
await line.focus();
await line.press("End");
await until("the end", async () => (await state()).time > 4.9);
await button("Copy link").click();
const seen = await state(), again = await open();
await again.goto(page.url().replace(/t=[\d.]+/, "t=3.0"));
await until("the same view", async () => {
  const there = await state(again);
  return there.selected === seen.selected && there.camera === "follow" && Math.abs(there.time - 3) < 0.05;
});
assert.equal(await again.getByRole("tab", { name: "Plots" }).getAttribute("aria-selected"), "true");
await again.close();
fact("a link shows the same vehicle, camera, panel and time");

// A recording of a hundred megabytes: what was touched of the file is in the memory of the program.
await server.stop();
const big = join(folder, "big.mcap");
execFileSync(program, ["run", wall, "--duration", "40", "--log", big, "--log-compression", "none", "--quiet"]);
server = await serve(program, [big, ...where, "--paused"]);
await page.goto(server.url);
await until("its vehicle", async () => (await state()).vehicles.some((v) => v.name === "snookie"));
const held = Number(/RssFile:\s*(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, "utf8"))[1]) / 1e3, whole = (await stat(big)).size / 1e6;
assert.ok(whole > 100 && held < 60, `${held} MB of ${whole} MB`);
fact(`a recording of ${whole.toFixed(0)} MB is open; the program holds ${held.toFixed(0)} MB of files, itself included`);

await page.setViewportSize({ width: 390, height: 700 });
await tab("Details");
await page.getByRole("tab", { name: "Overview" }).waitFor();
fact("on a phone the regions fold into tabs");
assert.deepEqual(errors, []);
fact("no error in the console");
await browser.close();
await server.stop();
await rm(folder, { recursive: true });
