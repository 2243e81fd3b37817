// The page in Debian's Chromium, driven as a person drives it.
//   node check_page.mjs FATHOM SCENARIO...     phoenix-turn, phoenix-mission, snookie-wall and fish-pool
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { boatFile } from "./boat.mjs";
import { fact, freePort, serve, until, STOPPED } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, turn, mission, wall, pool] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "fathom-page-")), shelf = join(folder, "shelf"), log = join(shelf, "run.mcap"), other = join(shelf, "other.mcap"), csv = join(folder, "csv"), big = join(folder, "big.mcap");
await mkdir(shelf);
execFileSync(program, ["run", turn, "--duration", "5", "--log", log, "--csv", csv, "--quiet"]);
execFileSync(program, ["run", turn, "--duration", "5", "--log", other, "--set", "/water/density=1015 kg/m3", "--quiet"]);
await writeFile(join(shelf, "broken.mcap"), "no recording");
const written = promisify(execFile)(program, ["run", wall, "--duration", "40", "--log", big, "--log-compression", "none", "--quiet"]); // is needed at the end
const port = freePort(), where = ["--http", `127.0.0.1:${port}`];
const roomy = join(folder, "roomy.xml"); // with room for one more vehicle
await writeFile(roomy, (await readFile(turn, "utf8")).replace("<world ", '<world capacity="2" '));
let server = await serve(program, [roomy, ...where]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const errors = [];
const page = await browser.newPage({ viewport: { width: 800, height: 420 }, acceptDownloads: true });
page.setDefaultTimeout(240000);
page.on("pageerror", (e) => errors.push(e.message));
page.on("console", (m) => m.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(m.text()) && errors.push(m.text()));
await page.addInitScript(() => (navigator.getGamepads = () => [window.pad ?? null])); // a gamepad that we hold
let packed = 0;
const state = () => page.evaluate(() => window.fathom.state());
const button = (name) => page.getByRole("button", { name, exact: true });
const tab = (name) => page.getByRole("tab", { name, exact: true }).click();
const painted = (canvas) => canvas.evaluate((c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v === 255).length / (c.width * c.height));
const theSea = () => page.getByRole("img", { name: "Sea", exact: true });
/** The time of the page once it stays: the same in as many pictures as are drawn in a second. */
async function settled() {
  let time;
  await until("the time to stay", async () => {
    const before = (await state()).time;
    await frames(60);
    return (time = (await state()).time) === before;
  });
  return time;
}
/** So many pictures are drawn, however long that takes. */
const frames = (count) => page.evaluate((wanted) => new Promise((done) => {
  let n = 0;
  const draw = () => (++n < wanted ? requestAnimationFrame(draw) : done());
  requestAnimationFrame(draw);
}), count);
/** The next message of a topic that is as wanted, by the page's own connection. */
const message = (topic, test) => page.evaluate(([name, body]) => new Promise((done, failed) => {
  const wanted = new Function("m", `return ${body}`), stop = window.fathom.link.listen(name, (m) => wanted(m) && (done(true), setTimeout(() => stop())));
  setTimeout(() => failed(new Error(`no message of ${name} with ${body}`)), 240000);
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
assert.ok(await theSea().isVisible());
const first = await state();
await until("a vehicle to move", async () => {
  const now = await state();
  return now.vehicles.some((v, i) => Math.hypot(...v.position.map((p, k) => p - first.vehicles[i].position[k])) > 0.02);
});
fact("the page shows the sea, and its vehicles move");
assert.ok(packed > 1e5 && packed < 1.5e6, `the page is ${packed} bytes`);
fact(`it is ${(packed / 1e3).toFixed(0)} kB packed`);

const name = first.vehicles[0].name, items = page.getByRole("list", { name: "Vehicles" }).getByRole("listitem");
await until("the list", async () => (await items.count()) === first.vehicles.length);
await items.first().getByRole("button").click();
await page.getByRole("heading", { name, exact: true }).waitFor();
fact("a vehicle is picked from the list and its panel opens");

await button("Pause").click();
await page.getByText("paused").waitFor();
const still = await settled(); // what was on its way when it was paused has come
await button("Step").click();
const stepped = await until("one step", async () => ((await state()).time > still ? (await state()).time : 0));
assert.ok(Math.abs(stepped - still - 0.05) < 1e-6, `a step of ${stepped - still} s`);

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
assert.equal((await state()).time, stepped);
fact("it pauses and steps");
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

await button("Pause").click(); // it stays at the start until it was seen there
await page.getByText("paused").waitFor();
await button("Reset").click();
await until("the start", async () => (await state()).time < 0.1);
await button("Start").click();
fact("reset goes back to the start");

await tab("Orders");
await button("Spawn another").click();
await until("the second one", async () => (await state()).vehicles.some((v) => v.name === `${name}-2`));
await page.getByRole("list", { name: "Vehicles" }).getByRole("button", { name: `${name}-2` }).click();
await page.getByRole("heading", { name: `${name}-2`, exact: true }).waitFor();
const draws = (await state()).draws;
await button(`Remove ${name}-2`).click();
await until("the second one to be gone", async () => (await state()).vehicles.length === 1 && (await items.count()) === 1);
fact(`another vehicle is spawned, selected and removed; two alike are drawn by ${draws} calls`);

// All panels hidden: the sea has the whole width, at any width.
const wide = () => page.evaluate(() => document.getElementById("sea").clientWidth);
await theSea().focus();
for (const key of ["1", "2", "3"]) await page.keyboard.press(key);
for (const width of [960, 1000, 1280]) {
  await page.setViewportSize({ width, height: 420 });
  await until("the sea to fill the page", async () => (await wide()) === width);
}
await page.setViewportSize({ width: 800, height: 420 });
for (const key of ["1", "2", "3"]) await page.keyboard.press(key);
await until("the panels", async () => (await wide()) < 400);
fact("with the panels hidden the sea fills the page");

async function download(press) {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return readFile(await file.path());
}
const shot = await download(() => button("Screenshot").click());
assert.equal(shot.subarray(1, 4).toString(), "PNG");
assert.equal(shot.readUInt32BE(16), await wide()); // in full, however coarse the picture on the screen
assert.ok(shot.length > 5000);
await button("Record video").click();
await frames(60);
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

assert.equal(await server.stop(), STOPPED);
await until("the loss to be shown", async () => (await page.getByText("connection lost").isVisible()) && (await page.locator("#view.lost").count()) === 1);
server = await serve(program, [mission, ...where]);
await until("to be connected again", async () => (await state()).connected && (await state()).vehicles.length > 0);
fact("it survives a restart of the server, with another scenario");

// --- where a vehicle is to go ---
await theSea().focus();
await message("/waypoints", "m.vehicles.phoenix.length === 4");
await page.keyboard.press("m");
const handle = page.getByRole("button", { name: /^Waypoint 1 of phoenix/ });
await handle.waitFor();
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
await theSea().focus();
await button("Drive").click();
await Promise.all([demand("speed", "v > 0.9"), (async () => { for (let i = 0; i < 10; i++) await page.keyboard.press("+"); })()]);
await Promise.all([demand("heading", "v > 0.6 && v < 1.6"), page.evaluate(() => (window.pad = { connected: true, axes: [1, 0, 0, 0], buttons: [] }))]);
await page.getByText(/^driving phoenix: heading/).waitFor(); // while the stick is held: the text does not stay
await page.evaluate(() => (window.pad = null));
await page.keyboard.press("Escape");
fact("a depth is desired; the vehicle is driven by keys and by a gamepad");

await button("Open in a separate window").click();
await tab("Senses");
await button("Open in a separate window").click();
assert.equal(await page.getByRole("dialog").count(), 2);
for (let left = 2; left; left--) await page.getByRole("button", { name: /^Close phoenix/ }).first().click();
assert.equal(await page.getByRole("dialog").count(), 0);
fact("several detail windows are open at once");
await server.stop();

// --- a drawing of one's own: a glTF file that is made here ---
await writeFile(join(folder, "boat.glb"), boatFile());
const drawn = (await readFile(turn, "utf8")).replace(/<orders>/, '<look mesh="boat.glb"/><orders>');
assert.match(drawn, /boat\.glb/);
await writeFile(join(folder, "drawn.xml"), drawn);
server = await serve(program, [join(folder, "drawn.xml"), ...where, "--paused"]);
await page.goto(`${server.url}#camera=follow&hide=left,right,foot`);
await until("the drawing", async () => (await state()).files === 1);
const coloured = (picture) => page.evaluate(async (bytes) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))])), canvas = new OffscreenCanvas(image.width, image.height), c = canvas.getContext("2d");
  c.drawImage(image, 0, 0);
  const { data } = c.getImageData(0, 0, image.width, image.height);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] > 50 && data[i] > 1.15 * data[i + 1] && data[i + 2] > 1.3 * data[i + 1]) n++;
  return n;
}, picture.toString("base64"));
const magenta = await until("its colour to be seen", async () => {
  const n = (await state()).selected ? await coloured(await download(() => page.keyboard.press("p"))) : 0;
  return n > 300 ? n : 0;
});
fact(`a vehicle is drawn by a glTF file (${magenta} pixels of its colour)`);
await server.stop();

// --- recordings ---
server = await serve(program, [log, ...where, "--paused"]);
await page.goto(server.url);
await until("the vehicle", async () => (await state()).vehicles.length === 1);
const beside = page.getByRole("combobox", { name: "Compare with" });
await until("the recordings of the folder", async () => (await beside.locator("option").allTextContents()).join() === "none,broken.mcap,other.mcap");
await beside.selectOption("broken.mcap");
await page.getByRole("alert").getByText(/broken\.mcap/).waitFor();
await beside.selectOption("other.mcap");
await until("the vehicles of both", async () => (await state()).vehicles.length === 2);
fact("a second recording is opened from the page; one that is none is refused by name");
await beside.selectOption("none");
await until("the first alone", async () => (await state()).vehicles.length === 1);
await page.evaluate(() => { // a file let go over the page, as a browser tells it
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([], "other.mcap"));
  const over = new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(over);
  if (!over.defaultPrevented) throw new Error("the page does not take what is dragged over it");
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
});
await until("the vehicles of both again", async () => (await state()).vehicles.length === 2);
fact("a recording of the folder is dropped onto the page");
const line = page.getByRole("slider", { name: "Timeline" });
await until("its length", async () => Number(await line.getAttribute("aria-valuemax")) > 1);
await tab("Plots");
await page.getByRole("combobox", { name: "Speed", exact: true }).selectOption("2");
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

// A link reproduces the view. That is also where the first paint is timed: the browser is warm.
await theSea().focus();
await page.keyboard.press("c");
await line.focus();
await line.press("End");
await until("the end", async () => (await state()).time > 4.9);
await button("Copy link").click();
const seen = await state(), link = page.url().replace(/t=[\d.]+/, "t=3.0");
await page.goto(link);
await page.reload(); // a new address of the same page alone does not load it
await until("the same view", async () => {
  const there = await state();
  return there.selected === seen.selected && there.camera === "follow" && Math.abs(there.time - 3) < 0.05;
});
assert.equal(await page.getByRole("tab", { name: "Plots" }).getAttribute("aria-selected"), "true");
fact("a link shows the same vehicle, camera, panel and time");
const paint = await page.evaluate(() => ({ first: performance.getEntriesByType("paint").find((e) => e.name === "first-contentful-paint").startTime, code: performance.getEntriesByName(new URL("app.js", location.href).href)[0].startTime }));
assert.ok(paint.first < paint.code || paint.code > 3000, `painted after ${paint.first} ms, its code was fetched after ${paint.code} ms`);
fact(`its first paint was after ${paint.first.toFixed(0)} ms here, its code was fetched after ${paint.code.toFixed(0)} ms`);

// A recording of a hundred megabytes: what was touched of the file is in the memory of the program.
await server.stop();
await written;
server = await serve(program, [big, ...where, "--paused"]);
await page.goto(server.url);
await until("its vehicle", async () => (await state()).vehicles.some((v) => v.name === "snookie"));
const held = Number(/RssFile:\s*(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, "utf8"))[1]) / 1e3, whole = (await stat(big)).size / 1e6;
assert.ok(whole > 100 && held < 60, `${held} MB of ${whole} MB`);
fact(`a recording of ${whole.toFixed(0)} MB is open; the program holds ${held.toFixed(0)} MB of files, itself included`);

// Who looks through the eyes of a fish has two pictures.
await server.stop();
server = await serve(program, [pool, ...where]);
await page.goto(`${server.url}#vehicle=red&camera=eyes`);
await page.reload(); // a new address of the same page alone does not load it
await until("two pictures", async () => (await state()).camera === "eyes" && (await state()).selected === "red" && (await page.getByText("right eye").isVisible()));
fact("one looks through the two eyes of a fish");

await page.setViewportSize({ width: 390, height: 700 });
await tab("Details");
await tab("Overview");
await until("the sea ahead of the nose, which the hidden canvas draws", async () => (await painted(page.getByRole("img", { name: "Nose camera of red" }))) > 0.95);
fact("on a phone the regions fold into tabs, and the nose camera still shows the sea");
assert.deepEqual(errors, []);
fact("no error in the console");
await browser.close();
await server.stop();
await rm(folder, { recursive: true });
