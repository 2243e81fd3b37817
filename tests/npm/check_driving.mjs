// Vehicles driven by keys through the page: which actuators a key moves comes from /scene.
//   node check_driving.mjs FATHOM SCENARIO     tests/net/driven-by-keys.xml
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fact, freePort, serve, STOPPED } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, scenario, shots] = process.argv.slice(2);
const server = await serve(program, [scenario, "--http", `127.0.0.1:${freePort()}`, "--speed", "5"]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
page.setDefaultTimeout(240000);
const errors = [];
page.on("pageerror", (e) => errors.push(e.message));
await page.goto(server.url);
await page.waitForFunction(() => window.fathom?.state().vehicles?.length === 6);

/** Waits for a message that passes a test. */
const message = (topic, test) => page.evaluate(([name, body]) => new Promise((done, failed) => {
  const wanted = new Function("m", `return ${body}`), late = setTimeout(() => failed(new Error(`no ${name} with ${body}`)), 230000);
  const stop = window.fathom.link.listen(name, (m) => { if (wanted(m)) { clearTimeout(late); setTimeout(() => (stop(), done())); } });
}), [topic, test]);
const select = async (name) => {
  await page.locator(`#vehicles button[data-name="${name}"]`).click();
  await page.getByText(new RegExp(`^driving ${name}`)).waitFor();
  await message(`/${name}/actuators`, "true"); // the page knows the present orders
};
/** The signs of the orders of a vehicle: { name: -1, 0, 1 }. */
const signs = (test) => Object.entries(test).map(([name, sign]) => `Math.sign(m.orders[m.names.indexOf("${name}")]) === ${sign}`).join(" && ");
const press = async (key, times = 4) => { for (let i = 0; i < times; i++) await page.keyboard.press(key); };
const turns = "m.twist.twist.angular.z < -0.01", goes = "m.twist.twist.linear.x > 0.05", sinks = "m.twist.twist.linear.z < -0.02";

await page.locator('#vehicles button[data-name="otter"]').click();
await page.locator("#sea").focus();
await page.keyboard.press("d");

await select("otter");
await press("+");
await message("/otter/actuators", signs({ "port-propeller": 1, "starboard-propeller": 1 }));
await message("/otter/odom", goes);
await press("ArrowRight", 5);
await message("/otter/actuators", signs({ "port-propeller": 1, "starboard-propeller": -1 }));
await message("/otter/odom", turns);
await page.keyboard.press("ArrowDown");
await page.getByText("otter cannot dive: no actuator acts in this direction").waitFor();
fact("an Otter goes ahead and turns by its two propellers, and cannot dive");
if (shots) await page.screenshot({ path: `${shots}/otter.png` });

await select("rov");
await press("ArrowRight");
await message("/rov/actuators", signs({ "front-port": 1, "front-starboard": -1, "rear-port": 1, "rear-starboard": -1, "port-vertical": 0 }));
await message("/rov/odom", turns);
await press("ArrowLeft");
await press("+");
await message("/rov/actuators", signs({ "front-port": 1, "front-starboard": 1, "rear-port": 1, "rear-starboard": 1, "port-vertical": 0 }));
await message("/rov/odom", goes);
await press("ArrowDown");
await message("/rov/actuators", signs({ "port-vertical": 1, "starboard-vertical": 1 }));
await message("/rov/odom", sinks);
fact("a BlueROV2 goes ahead, turns and dives by vectored thrusters");
if (shots) await page.screenshot({ path: `${shots}/rov.png` });

await select("lauv");
await press("+", 8);
await message("/lauv/odom", goes);
await press("ArrowRight", 3);
await message("/lauv/odom", turns);
await press("ArrowDown", 3);
await message("/lauv/odom", "m.pose.pose.position.z < -10.5");
fact("a LAUV goes ahead by its propeller, turns and dives by its fins");

await select("tanker");
await press("+", 10);
await press("ArrowRight", 10);
await message("/tanker/odom", `${goes} && m.twist.twist.angular.z < -0.002`);
fact("a tanker by the MMG model goes ahead and turns");

await select("fish");
await press("+");
await message("/fish/odom", goes);
await press("ArrowRight");
await message("/fish/odom", turns);
await press("ArrowDown");
await message("/fish/odom", "m.pose.pose.position.z < -11.5");
fact("a fish swims, turns and dives by the orders of its kind");

await select("glider");
await press("ArrowDown", 10);
await message("/glider/actuators", signs({ "ballast": 1, "battery": 1 }));
await page.keyboard.press("+");
await page.getByText("glider cannot go ahead: no actuator acts in this direction").waitFor();
fact("a glider dives by its ballast and its moving mass, and has no drive");

await page.getByRole("tab", { name: "Orders", exact: true }).click();
const slider = page.getByRole("slider", { name: /^Order / }).first();
await slider.waitFor();
const limits = await page.evaluate(() => new Promise((done) => {
  const stop = window.fathom.link.listen("/scene", (m) => {
    const type = m.vehicles.find((v) => v.name === "glider").type;
    setTimeout(() => (stop(), done(m.actuators.filter((a) => a.type === type).map((a) => [`Order ${a.name}`, a.unit, a.low, a.high]))));
  });
}));
assert.deepEqual(limits.map(([label]) => label).sort(), ["Order ballast", "Order battery", "Order rudder"]);
for (const [label, unit, low, high] of limits) {
  const one = page.getByRole("slider", { name: label, exact: true }), scale = unit === "rad" ? 180 / Math.PI : 1; // it turns in degrees
  for (const [end, limit] of [["min", low], ["max", high]]) {
    const found = Number(await one.getAttribute(end));
    assert.ok(Math.abs(found - scale * limit) < 1e-9 * (1 + Math.abs(limit)), `${label}: ${end} ${found}, expected ${scale * limit}`);
  }
}
fact("a slider has the limits of its actuator, angles in degrees");

assert.deepEqual(errors, []);
await browser.close();
assert.equal(await server.stop(), STOPPED);
