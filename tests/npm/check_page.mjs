// The page in Debian's Chromium, driven as a person drives it.
//   node check_page.mjs FATHOM SCENARIO
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fact, freePort, serve, until } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, scenario] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "fathom-page-")), log = join(folder, "run.mcap");
execFileSync(program, ["run", scenario, "--duration", "5", "--log", log, "--quiet"]);
const port = freePort(), where = ["--http", `127.0.0.1:${port}`];
let server = await serve(program, [scenario, ...where]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
page.setDefaultTimeout(60000);
const errors = [];
page.on("pageerror", (e) => errors.push(e.message));
page.on("console", (m) => m.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(m.text()) && errors.push(m.text()));
const state = () => page.evaluate(() => window.fathom.state());

await page.goto(server.url);
await until("vehicles", async () => (await state()).vehicles.length > 0);
assert.ok(await page.getByRole("img", { name: "Sea" }).isVisible());
const first = await state();
await until("a vehicle to move", async () => {
  const now = await state();
  return now.vehicles.some((v, i) => Math.hypot(...v.position.map((p, k) => p - first.vehicles[i].position[k])) > 0.02);
});
fact("the page shows the sea, and its vehicles move");

const name = first.vehicles[0].name, items = page.getByRole("list", { name: "Vehicles" }).getByRole("listitem");
await until("the list", async () => (await items.count()) === first.vehicles.length);
await items.first().getByRole("button").click();
await page.getByRole("heading", { name, exact: true }).waitFor();
fact("a vehicle is picked from the list and its panel opens");

await page.getByRole("button", { name: "Pause" }).click();
await page.getByText("paused").waitFor();
const still = (await state()).time;
await page.getByRole("button", { name: "Step" }).click();
await until("one step", async () => (await state()).time > still);
await page.waitForTimeout(300);
const stepped = (await state()).time;
await page.waitForTimeout(500);
assert.equal((await state()).time, stepped);
fact("it pauses and steps");
await page.getByRole("button", { name: "Start" }).click();
await until("to go on", async () => (await state()).time > stepped + 0.2);

await page.getByRole("tab", { name: "Params" }).click();
await page.getByRole("searchbox", { name: "Find parameter" }).fill("/water/density");
const density = page.getByRole("spinbutton", { name: "/water/density value" });
await density.fill("1100");
await density.press("Enter");
await until("the value to come back", () => page.evaluate(() => window.fathom.parameter("/water/density") === 1100));
await until("the vehicle to respond by rising", async () => {
  const now = await state();
  return now.vehicles[0].position[2] < first.vehicles[0].position[2] - 0.05;
});
fact("a parameter is found and changed, and the vehicle responds");

await page.getByRole("tab", { name: "Faults" }).click();
const dead = page.getByRole("button", { name: /dead$/ }).first();
await dead.click();
const part = (await dead.getAttribute("aria-label")).replace(/ dead$/, "");
await until("the fault to act", () => page.evaluate((path) => window.fathom.parameter(path) === 0, `/${name}/${part}/efficiency`));
fact("a fault is injected");

await page.getByRole("button", { name: "Reset" }).click();
await until("the start", async () => (await state()).time < 1.5);
fact("reset goes back to the start");

assert.equal(await server.stop(), 0);
await until("the loss to be shown", () => page.getByText("connection lost").isVisible());
server = await serve(program, [scenario, ...where]);
await until("to be connected again", async () => (await state()).connected && (await state()).vehicles.length > 0);
fact("it survives a restart of the server");
await server.stop();

server = await serve(program, [log, ...where, "--paused"]);
await page.goto(server.url);
await until("the recording's vehicles", async () => (await state()).vehicles.length > 0);
const line = page.getByRole("slider", { name: "Timeline" });
await until("its length", async () => Number(await line.getAttribute("aria-valuemax")) > 1);
await page.getByRole("button", { name: "Start" }).click();
await until("the recording to play", async () => (await state()).time > 0.3);
await page.getByRole("button", { name: "Pause" }).click();
await line.focus();
await line.press("End");
const end = Number(await line.getAttribute("aria-valuemax"));
await until("the end", async () => Math.abs((await state()).time - end) < 0.2);
fact("a recording is played and sought");

await page.setViewportSize({ width: 390, height: 700 });
await page.getByRole("tab", { name: "Details" }).click();
await page.getByRole("tab", { name: "Overview" }).waitFor();
fact("on a phone the regions fold into tabs");
assert.deepEqual(errors, []);
fact("no error in the console");
await browser.close();
await server.stop();
await rm(folder, { recursive: true });
