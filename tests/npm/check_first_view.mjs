// The first five seconds: the camera is near, there is a floor and a scale, nothing is lost from view, and nothing is cut on a phone.
//   node check_first_view.mjs FATHOM SCENARIOS      the folder of the shipped scenarios
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { fact, freePort, serve, STOPPED, until } from "./served.mjs";

const [program, scenarios] = process.argv.slice(2);
const browser = await launch(), errors = [], folder = await mkdtemp(join(tmpdir(), "fathom-first-"));
const at = () => ["--http", `127.0.0.1:${freePort()}`];

async function open(url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
  page.setDefaultTimeout(240000);
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(m.text()) && errors.push(m.text()));
  await page.goto(url);
  await page.waitForFunction(() => window.fathom?.state().selected && window.fathom.state().across > 0.01);
  return page;
}
const state = (page) => page.evaluate(() => window.fathom.state());
const apart = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

// --- near, and with it ---
let server = await serve(program, [join(scenarios, "lauv-survey.xml"), ...at(), "--speed", "4"]);
let page = await open(server.url);
let first = await state(page);
assert.equal(first.camera, "follow");
assert.ok(first.across > 1 / 6, `the vehicle takes ${first.across} of the width`);
await until("the vehicle to be far from where it was", async () => apart((await state(page)).vehicles[0].position, first.vehicles[0].position) > 20);
const later = await state(page);
assert.ok(Math.abs(later.across - first.across) < 0.1 * first.across, `${first.across} of the width, then ${later.across}`);
assert.deepEqual(later.inView, ["lauv"]);
fact(`the camera follows: the vehicle takes ${(100 * later.across).toFixed(0)} % of the width after ${apart(later.vehicles[0].position, first.vehicles[0].position).toFixed(0)} m`);
assert.ok(later.grid > 3 && later.grid < 20, `a grid at ${later.grid} m`);
await page.getByRole("img", { name: /^Scale: .* m · grid 1 m at \d+ m depth$/ }).waitFor();
await page.getByText(/^\d\.\d m deep$/).waitFor();
await page.getByText("LAUV runs two lanes of 60 m at 3 m depth").waitFor();
fact("there is a grid, a scale, a plumb line and a line of text");

// The picture has no one colour: it is saved as a person saves it.
const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Screenshot", exact: true }).click()]);
const shades = await page.evaluate(async (bytes) => {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))])), canvas = new OffscreenCanvas(image.width, image.height), c = canvas.getContext("2d");
  c.drawImage(image, 0, 0);
  const bright = (y) => { const { data } = c.getImageData(0, y, image.width, 4); let sum = 0; for (let i = 0; i < data.length; i += 4) sum += data[i] + data[i + 1] + data[i + 2]; return (4 * sum) / data.length; };
  return [0.02, 0.3, 0.6, 0.95].map((share) => bright(Math.floor(share * image.height)));
}, (await readFile(await file.path())).toString("base64"));
assert.ok(Math.max(...shades) > 1.3 * Math.min(...shades), `brightness from top to bottom: ${shades}`);
fact(`the water is lighter above and darker below: ${shades.map((s) => s.toFixed(0)).join(", ")}`);

// --- out of view ---
await page.selectOption("#camera", "orbit");
await page.evaluate(() => window.fathom.look([0, 50, 0], [500, 50, 0])); // away from everything
await page.getByRole("button", { name: "Back to lauv" }).waitFor();
fact("an arrow points to the vehicle that is out of view");
await until("the camera to come back by itself", async () => (await state(page)).inView.length === 1);
fact("a view without any vehicle frames them again");
await page.evaluate(() => window.fathom.look([3000, 200, 0], [0, 0, 0]));
await page.keyboard.press("a");
await until("everything to be framed", async () => (await state(page)).across > 0.005);
await page.selectOption("#camera", "map");
await until("the map to show it", async () => (await state(page)).inView.length === 1);
fact("a key frames everything; the map frames what is there");
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- a scenario writes its own view ---
server = await serve(program, [join(scenarios, "fish-pool.xml"), ...at()]);
page = await open(server.url);
const asked = JSON.parse((await page.evaluate(() => window.fathom.link.info.metadata.view)) || "{}");
assert.ok(asked.camera, "fish-pool has a view of its own");
assert.equal((await state(page)).camera, asked.camera === "onboard" ? "eyes" : asked.camera);
if (asked.camera === "orbit" && asked.from) {
  const [x, y, z] = (await state(page)).eye, [north, east, down] = asked.from;
  assert.ok(apart([x, y, z], [east, -down, -north]) < 0.01, `the camera is at ${[x, y, z]}, asked for ${asked.from}`);
}
const fish = await state(page);
assert.ok(fish.across > 1 / 6, `${fish.selected} takes ${fish.across} of the width`);
fact(`a scenario chooses its first view: ${fish.selected} takes ${(100 * fish.across).toFixed(0)} % of the width`);
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- the showcase shows vehicles, not rings ---
server = await serve(program, [join(scenarios, "showcase.xml"), ...at()]);
page = await open(server.url);
first = await state(page);
assert.ok(first.across > 1 / 6 && first.inView.length >= 2, `${first.across} of the width, in view ${first.inView}`);
await page.getByRole("img", { name: /^Map of \d+ vehicles/ }).waitFor();
fact(`the showcase begins with ${first.selected} in ${(100 * first.across).toFixed(0)} % of the width, ${first.inView.length} vehicles in view, and a map`);
await page.close();

// --- light and dark, phone ---
for (const scheme of ["light", "dark"]) {
  page = await open(server.url, { colorScheme: scheme });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), scheme);
  await page.emulateMedia({ colorScheme: scheme === "light" ? "dark" : "light" });
  await until("the theme to follow the system", () => page.evaluate((s) => document.documentElement.dataset.theme !== s, scheme));
  await page.close();
}
fact("light and dark follow the system");
page = await open(server.url, { viewport: { width: 390, height: 844 } });
for (const fold of ["Sea", "Vehicles", "Details"]) {
  await page.getByRole("tab", { name: fold, exact: true }).click();
  for (const tab of fold === "Details" ? ["Overview", "Plots", "Senses", "Params", "Orders", "Faults"] : [""]) {
    if (tab) await page.getByRole("tab", { name: tab, exact: true }).click();
    const cut = await page.evaluate(() => [...document.querySelectorAll("button, select, input, h1, h2, #clock, .tile, canvas, #about, #scale, .param, .plot")]
      .filter((e) => e.offsetParent && e.getClientRects().length)
      .map((e) => [e.getAttribute("aria-label") || e.id || e.textContent.trim().slice(0, 30), e.getBoundingClientRect()])
      .filter(([, r]) => r.width > 0 && (r.right > innerWidth + 1 || r.left < -1)).map(([name, r]) => `${name} ${r.left.toFixed(0)} … ${r.right.toFixed(0)}`));
    assert.deepEqual(cut, [], `${fold} ${tab}`);
  }
}
await page.getByRole("tab", { name: "Sea", exact: true }).click();
const unread = await page.evaluate(() => [...document.querySelectorAll("#bar select, #bar button, #clock")].filter((e) => e.offsetParent && parseFloat(getComputedStyle(e).fontSize) < 11).map((e) => e.id));
assert.deepEqual(unread, []);
fact("nothing is cut at a width of 390 pixels, and what is there can be read");
const bare = await page.evaluate(() => [...document.querySelectorAll("#bar button, #view > button")].filter((b) => !/[a-z]{3}/i.test(b.textContent) && !(/[a-z]{3}/i.test(b.title) && b.ariaLabel)).map((b) => b.id));
assert.deepEqual(bare, []);
fact("buttons with a sign have words as names and tooltips");
await page.close();

// --- the size of the page ---
let packed = 0;
page = await browser.newPage();
page.on("response", (r) => (packed += Number(r.headers()["content-length"] ?? 0)));
await page.goto(server.url);
await page.waitForFunction(() => window.fathom?.state().vehicles?.length > 0);
assert.ok(packed > 1e5 && packed < 350e3, `the page is ${packed} bytes`);
fact(`the page is ${(packed / 1e3).toFixed(0)} kB`);
await page.close();
assert.equal(await server.stop(), STOPPED);

// --- two logs, compared: the camera stays with them ---
const logs = ["a", "b"].map((n) => join(folder, `${n}.mcap`));
logs.forEach((log, i) => execFileSync(program, ["run", join(scenarios, "lauv-survey.xml"), "--log", log, "--quiet", ...(i ? ["--set", "/water/density=1015 kg/m3"] : [])]));
server = await serve(program, [...logs, ...at(), "--speed", "20"]);
page = await open(server.url);
await until("a minute and a half to pass", async () => (await state(page)).time > 90);
await until("a vehicle in view", async () => (await state(page)).inView.length > 0);
const { time, camera, selected, across } = await state(page);
assert.ok(across > 1 / 6, `${selected} takes ${across} of the width at ${time} s, camera ${camera}`);
fact("two compared logs stay in view");
await page.close();
assert.equal(await server.stop(), STOPPED);

assert.deepEqual(errors, []);
fact("no error in the console");
await browser.close();
await rm(folder, { recursive: true });
