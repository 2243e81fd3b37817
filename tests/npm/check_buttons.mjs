// Every button of the page, pressed in scenario after scenario: the program goes on, and Reset starts it again.
//   node check_buttons.mjs FATHOM SCENARIO...
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fact, freePort, serve, until, STOPPED } from "./served.mjs";
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const [program, ...scenarios] = process.argv.slice(2), VEHICLES = 3; // of each scenario whose panels are pressed
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const alive = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };

/** Presses every button that is shown and enabled and was not pressed yet, but for those that match `later`. */
const press = (page, later) => page.evaluate((pattern) => {
  const pressed = (window.pressed ??= new Set()), not = new RegExp(pattern);
  const name = (b) => b.getAttribute("aria-label") || b.title || b.textContent.trim();
  let count = 0;
  for (const b of document.querySelectorAll('button, [role="button"]')) {
    const key = `${document.querySelector('[role="tab"][aria-selected="true"]')?.textContent} ${name(b)}`;
    if (!b.isConnected || b.disabled || !b.getClientRects().length || pressed.has(key) || not.test(name(b))) continue;
    pressed.add(key);
    b.dispatchEvent(new MouseEvent("click", { bubbles: true })); // waypoints are of SVG, which has no click()
    count++;
  }
  return count;
}, later);

async function visit(scenario) {
  const server = await serve(program, [scenario, "--http", `127.0.0.1:${freePort()}`]);
  const page = await browser.newPage({ viewport: { width: 1000, height: 500 }, acceptDownloads: true });
  try {
    await look(scenario, server, page);
  } finally {
    await page.close();
    if (alive(server.pid)) assert.equal(await server.stop(), STOPPED, scenario);
  }
}

async function look(scenario, server, page) {
  const errors = [];
  page.setDefaultTimeout(240000);
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("dialog", (d) => d.dismiss());
  await page.goto(server.url);
  const state = () => page.evaluate(() => window.fathom.state());
  await until("vehicles", async () => (await state()).vehicles.length > 0);
  const names = (await state()).vehicles.map((v) => v.name), kinds = [...new Map(names.map((n) => [n.replace(/[-\d]+$/, ""), n])).values()];
  const runs = await until("time to go on", async () => (await state()).time > 0, 10).catch(() => false); // or it waits for an autopilot outside
  let count = 0;
  for (const name of kinds.slice(0, VEHICLES)) {
    await until(`${scenario}: ${name} in the list`, () => page.evaluate((n) => {
      const mine = [...document.querySelectorAll('[aria-label="Vehicles"] button')].find((b) => (b.ariaLabel ?? b.textContent).includes(n));
      mine?.click();
      return Boolean(mine);
    }, name));
    const tabs = await page.evaluate(() => [...document.querySelectorAll('[role="tab"]')].length);
    for (let i = 0; i < tabs; i++) {
      await page.evaluate((k) => document.querySelectorAll('[role="tab"]')[k]?.click(), i);
      count += await press(page, "^(Reset|Remove .*)$");
    }
  }
  count += await press(page, "^Reset$"); // Remove …
  const reset = page.getByRole("button", { name: "Reset", exact: true }), start = page.getByRole("button", { name: "Start", exact: true });
  for (let i = 0; i < 2; i++) { // the second in the middle of what the first began
    const before = await state();
    await reset.evaluate((b) => b.click());
    await until(`${scenario}: the vehicles of the start`, async () => {
      assert.ok(alive(server.pid), `${scenario}: the program ended at Reset`);
      const now = await state();
      return now.connected && now.vehicles.length >= Math.min(names.length, before.vehicles.length) && names.every((n) => now.vehicles.some((v) => v.name === n));
    });
    if (await start.isVisible()) await start.evaluate((b) => b.click());
    const from = (await state()).time;
    if (runs) await until(`${scenario}: time to go on after Reset`, async () => (await state()).time !== from);
    count++;
  }
  assert.deepEqual(errors, [], scenario);
  fact(`${basename(scenario, ".xml")}: ${count} buttons were pressed, and it goes on after Reset`);
}

let failed = 0;
for (const scenario of scenarios)
  await visit(scenario).catch((e) => { failed++; console.log(`not ok - ${scenario}: ${e.message}`); });
await browser.close();
process.exit(failed ? 1 : 0);
