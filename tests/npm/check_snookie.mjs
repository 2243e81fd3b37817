// Snookie flown through the page with the mouse: depth, bearing and speed are set in the panel Orders, and the log shows that it follows.
//   node check_snookie.mjs FATHOM SCENARIO      tests/systems/snookie-page.xml
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fact, freePort, serve, until } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, scenario] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "fathom-snookie-")), log = join(folder, "run.mcap");
const server = await serve(program, [scenario, "--http", `127.0.0.1:${freePort()}`, "--speed", "4", "--log", log]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
page.setDefaultTimeout(240000);
const snookie = async () => (await page.evaluate(() => window.fathom.state())).vehicles.find((v) => v.name === "snookie");
const turned = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** Drags a slider with the mouse until the number beside it is near `wanted`, and returns what it is. A pixel may be a large step. */
async function set(what, wanted, near) {
  const slider = page.getByRole("slider", { name: `Desired ${what} slider` }), number = page.getByRole("spinbutton", { name: `Desired ${what}`, exact: true });
  let aim = wanted;
  return until(`${what} set with the mouse`, async () => {
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox(), [now, least, most] = await slider.evaluate((s) => [Number(s.value), Number(s.min), Number(s.max)]);
    const at = (value) => box.x + 8 + ((value - least) / (most - least)) * (box.width - 16), y = box.y + box.height / 2; // 16 px: the thumb
    await page.mouse.move(at(now), y);
    await page.mouse.down();
    await page.mouse.move(at(aim) + 12, y, { steps: 3 });
    await page.mouse.move(at(aim), y, { steps: 3 });
    await page.mouse.up();
    const text = await number.inputValue();
    if (text !== "") aim += 0.7 * (wanted - Number(text));
    return text !== "" && Math.abs(Number(text) - wanted) < near && Number(text);
  }, 120);
}

/** The speed over ground that the page shows by where the vehicle is, m/s of simulation. */
async function speed() {
  const at = () => page.evaluate(() => ((s) => [s.time, ...s.vehicles.find((v) => v.name === "snookie").position])(window.fathom.state()));
  const first = await at();
  const last = await until("4 s to pass", async () => ((now) => now[0] > first[0] + 4 && now)(await at()), 120);
  return Math.hypot(...[1, 2, 3].map((i) => last[i] - first[i])) / (last[0] - first[0]);
}

await page.goto(server.url);
await until("snookie", snookie, 120);
await page.getByRole("list", { name: "Vehicles" }).getByRole("listitem").first().getByRole("button").click();
await page.getByRole("tab", { name: "Orders", exact: true }).click();
const start = await snookie();
assert.ok(Math.abs(start.position[2] - 3) < 0.05 && Math.abs(start.heading) < 0.05, JSON.stringify(start));

const depth = await set("depth", 5, 1);
await until(`a depth of ${depth} m`, async () => Math.abs((await snookie()).position[2] - depth) < 0.05, 240);
fact(`a depth of ${depth} m is set with the mouse, and Snookie dives to it`);
const bearing = await set("bearing", 60, 10);
await until(`a bearing of ${bearing} degrees`, async () => Math.abs(turned((await snookie()).heading - (bearing * Math.PI) / 180)) < 0.03, 240);
fact(`a bearing of ${bearing} degrees is set with the mouse, and Snookie turns to it, to starboard`);
const pace = await set("speed", 0.2, 0.06);
await until(`a speed of ${pace} m/s`, async () => Math.abs((await speed()) - pace) < 0.15 * pace, 240);
fact(`a speed of ${pace} m/s is set with the mouse, and Snookie swims at it`);
await server.stop(); // before the browser is closed: when its last viewer leaves, the page gives back what it holds
await browser.close();

const csv = join(folder, "csv");
execFileSync(program, ["export", log, "/snookie/odom", "--csv", csv]);
const [head, ...rows] = (await readFile(join(csv, (await readdir(csv))[0]), "utf8")).trim().split("\n").map((line) => line.split(","));
const last = Object.fromEntries(head.map((name, i) => [name, Number(rows.at(-1)[i])]));
const yaw = 2 * Math.atan2(last["pose.pose.orientation.z"], last["pose.pose.orientation.w"]);
assert.ok(Math.abs(last["pose.pose.position.down [m]"] - depth) < 0.1, `depth ${last["pose.pose.position.down [m]"]} m`);
assert.ok(Math.abs(turned(yaw - (bearing * Math.PI) / 180)) < 0.2, `bearing ${yaw} rad`); // it slips sideways while it gains speed
assert.ok(Math.abs(last["twist.twist.linear.forward [m/s]"] - pace) < 0.15 * pace, `speed ${last["twist.twist.linear.forward [m/s]"]} m/s`);
assert.ok(last["pose.pose.position.east [m]"] > 0, "it swims to the east");
fact("the log has depth, bearing and speed as they were set");
await rm(folder, { recursive: true });
