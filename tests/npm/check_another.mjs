// "Spawn another" in every shipped scenario, by the public client of the protocol: there is room for one more of each type.
//   node check_another.mjs FATHOM SCENARIOS      the folder of the shipped scenarios
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fact, freePort, serve, STOPPED, until } from "./served.mjs";
const require = createRequire(import.meta.url);
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");
const { WebSocket } = require("ws");

const [program, scenarios] = process.argv.slice(2);

/** Where there may be room for another one, as the page tries it: forward, starboard, down of it, in lengths. */
const berths = [[0, 1.5, 0], [0, -1.5, 0], [-2, 0, 0], [2, 0, 0], [0, 4, 0], [0, -4, 0], [-5, 0, 0], [0, 0, 1.5], [0, 0, -1.5]];

async function visit(name) {
  const port = freePort(), server = await serve(program, [join(scenarios, name), "--http", `127.0.0.1:${port}`, "--no-bridges"]);
  const client = new FoxgloveClient({ ws: new WebSocket(`ws://127.0.0.1:${port}`, ["foxglove.websocket.v1"]) });
  const services = new Map(), replies = new Map(), last = new Map(), readers = new Map(), poses = new Map();
  client.on("error", (e) => { throw e; });
  client.on("advertiseServices", (list) => list.forEach((s) => services.set(s.name, s)));
  client.on("advertise", (list) => list.filter((c) => ["/scene", "/tf"].includes(c.topic)).forEach((c) => readers.set(client.subscribe(c.id), [c.topic, new MessageReader(parse(c.schema, { ros2: true }))])));
  client.on("message", (m) => { const [topic, reader] = readers.get(m.subscriptionId); const read = reader.readMessage(m.data); last.set(topic, read); if (topic === "/tf") read.transforms.forEach((t) => poses.set(t.child_frame_id.replace(/\/base_link$/, ""), t.transform.translation)); });
  client.on("serviceCallResponse", (m) => replies.set(m.callId, { ok: true }));
  client.on("serviceCallFailure", (m) => replies.set(m.callId, { ok: false, message: m.message }));
  let call = 0;
  const ask = async (service, request) => {
    const callId = ++call;
    client.sendServiceCallRequest({ serviceId: services.get(service).id, callId, encoding: "json", data: new TextEncoder().encode(JSON.stringify(request)) });
    return until(`${name}: an answer of ${service}`, () => replies.get(callId));
  };
  try {
    await until(`${name}: its scene`, () => poses.has(last.get("/scene")?.vehicles[0]?.name) && services.has("/spawn"));
    const first = last.get("/scene").vehicles[0], pose = poses.get(first.name);
    let answer;
    for (const [ahead, beside, down] of berths) {
      answer = await ask("/spawn", { name: "another", like: first.name, position: [pose.y + 3 * ahead, pose.x + 3 * beside, Math.max(0, -pose.z + 3 * down)], heading: 0 });
      if (answer.ok) break;
    }
    assert.ok(answer.ok, `${name}: ${answer.message}`);
    await until(`${name}: the other one in the scene`, () => last.get("/scene").vehicles.some((v) => v.name === "another"));
  } finally {
    client.close();
    assert.equal(await server.stop(), STOPPED);
  }
}

const names = (await readdir(scenarios)).filter((n) => n.endsWith(".xml")).sort();
let failed = 0;
for (const name of names) await visit(name).catch((e) => { failed++; console.log(`not ok - ${e.message}`); });
if (!failed) fact(`another vehicle is spawned in each of ${names.length} scenarios`);
process.exit(failed ? 1 : 0);
