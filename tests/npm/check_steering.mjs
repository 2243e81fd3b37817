// Snookie flown through the page: its set points, who owns its actuators, and what takes them and gives them back.
//   node check_steering.mjs FATHOM SCENARIO     a scenario with the stock Snookie, named snookie
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fact, freePort, serve, STOPPED } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, scenario] = process.argv.slice(2);
const server = await serve(program, [scenario, "--http", `127.0.0.1:${freePort()}`, "--speed", "5"]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: { width: 800, height: 420 } });
page.setDefaultTimeout(240000);
const errors = [];
page.on("pageerror", (e) => errors.push(e.message));
await page.goto(server.url);
await page.waitForFunction(() => window.fathom?.state().selected === "snookie" || window.fathom?.state().vehicles?.length);
const message = (topic, test) => page.evaluate(([name, body]) => new Promise((done, failed) => {
  const wanted = new Function("m", `return ${body}`), late = setTimeout(() => failed(new Error(`no ${name} with ${body}`)), 80000);
  const stop = window.fathom.link.listen(name, (m) => { if (wanted(m)) { clearTimeout(late); setTimeout(() => (stop(), done())); } });
}), [topic, test]);

await page.getByRole("tab", { name: "Orders", exact: true }).click();
const set = async (what, value) => {
  const box = page.getByRole("spinbutton", { name: `Desired ${what}` });
  await box.fill(value);
  await box.press("Enter");
};
const depth = page.getByRole("spinbutton", { name: "Desired depth" });
await depth.waitFor();
assert.equal(await depth.inputValue(), ""); // not set
await set("depth", "2.5");
await set("bearing", "60");
await set("speed", "0.25");
await message("/snookie/hover-pd", `m.values[m.names.indexOf("desired.depth")] === 2.5`);
await message("/snookie/odom", "Math.abs(m.pose.pose.position.z + 2.5) < 0.1");
fact("Snookie goes to the depth that is typed in");
await page.getByRole("button", { name: "Release depth" }).click();
await message("/setpoints", `m.vehicles.snookie.setpoints.find((s) => s.name === "depth").value === null`);
fact("a set point that is released is not set again");

await page.getByRole("slider", { name: "Order port-vertical" }).fill("3");
await message("/snookie/actuators", `m.owners[m.names.indexOf("port-vertical")] === "page"`);
await page.getByLabel("Owner of port-vertical").filter({ hasText: "page" }).waitFor();
await page.getByRole("button", { name: "Release actuators" }).click();
await page.getByLabel("Owner of port-vertical").filter({ hasText: "hover-pd" }).waitFor();
fact("the page shows who owns an actuator, and gives it back");
await page.getByRole("button", { name: "Engage hover-pd" }).click();
await message("/snookie/actuators", `m.owners.every((o) => o === "schedule") && m.orders.every((o) => o === 0)`);
await page.getByRole("button", { name: "Engage hover-pd" }).filter({ hasText: "disengaged" }).click();
await message("/snookie/actuators", `m.owners.every((o) => o === "hover-pd")`);
fact("a controller is disengaged and engaged");
assert.deepEqual(errors, []);
await browser.close();
assert.equal(await server.stop(), STOPPED);
