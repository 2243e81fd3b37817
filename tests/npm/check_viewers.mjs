// A viewer that is not ours: the public client of the Foxglove WebSocket protocol.
//   node check_viewers.mjs FATHOM SCENARIO...     phoenix-turn and phoenix-mission
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fact, freePort, serve, until, STOPPED } from "./served.mjs";
const require = createRequire(import.meta.url);
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");
const { WebSocket } = require("ws");

const [program, turn, mission] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "fathom-viewers-"));
const port = freePort(), address = `ws://127.0.0.1:${port}`;

async function connect(protocol) {
  const client = new FoxgloveClient({ ws: new WebSocket(address, [protocol]) });
  const seen = { client, channels: new Map(), services: new Map(), messages: new Map(), params: new Map(), status: [], replies: new Map(), next: 1 };
  client.on("error", (e) => { throw e; });
  client.on("close", () => (seen.closed = true));
  client.on("serverInfo", (m) => (seen.info = m));
  client.on("advertise", (list) => list.forEach((c) => seen.channels.set(c.topic, c)));
  client.on("unadvertise", (ids) => { for (const [topic, c] of seen.channels) if (ids.includes(c.id)) seen.channels.delete(topic); });
  client.on("advertiseServices", (list) => list.forEach((s) => seen.services.set(s.name, s)));
  client.on("parameterValues", (m) => m.parameters.forEach((p) => seen.params.set(p.name, p.value)));
  client.on("status", (m) => seen.status.push(m));
  client.on("message", (m) => seen.messages.set(m.subscriptionId, m));
  client.on("serviceCallResponse", (m) => seen.replies.set(m.callId, JSON.parse(new TextDecoder().decode(m.data))));
  client.on("serviceCallFailure", (m) => seen.replies.set(m.callId, { ok: false, message: m.message }));
  client.on("time", (m) => (seen.time = m.timestamp));
  await until("greeting", () => seen.info && seen.services.size);
  return seen;
}

const decode = (channel, data) => {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return channel.encoding === "json" ? JSON.parse(new TextDecoder().decode(bytes)) : new MessageReader(parse(channel.schema, { ros2: true })).readMessage(bytes);
};

/** Messages of a topic until one of them is as wanted. */
async function read(seen, topic, wanted = () => true) {
  const channel = seen.channels.get(topic);
  assert.ok(channel, `a channel ${topic}`);
  const id = seen.client.subscribe(channel.id);
  let found;
  await until(`a message of ${topic}`, () => {
    const m = seen.messages.get(id);
    return m && wanted((found = decode(channel, m.data)));
  });
  seen.client.unsubscribe(id);
  return found;
}

async function call(seen, name, request = {}) {
  const service = seen.services.get(name), callId = seen.next++;
  assert.ok(service, `a service ${name}`);
  seen.client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "json", data: new DataView(new TextEncoder().encode(JSON.stringify(request)).buffer) });
  return until(`an answer of ${name}`, () => seen.replies.get(callId));
}

const names = (tf) => tf.transforms.filter((t) => ["map", "odom"].includes(t.header.frame_id)).map((t) => t.child_frame_id.replace(/\/base_link$/, ""));

// --- a run that is looked at and changed ---
let server = await serve(program, [turn, "--http", `127.0.0.1:${port}`, "--speed", "4"]);
{
  const seen = await connect("foxglove.websocket.v1");
  assert.equal(seen.info.name, "Fathom");
  for (const capability of ["time", "parameters", "parametersSubscribe", "services"]) assert.ok(seen.info.capabilities.includes(capability));
  fact("the public client is greeted with its capabilities");

  // Foxglove Studio lists the properties of every object in a schema; one without them ends its connection.
  const listed = (schema, where) => {
    if (schema.type !== "object") return;
    assert.equal(typeof schema.properties, "object", `the properties of ${where}`);
    for (const [name, part] of Object.entries(schema.properties)) listed(part, `${where}.${name}`);
  };
  for (const c of seen.channels.values()) if (c.encoding === "json") listed(JSON.parse(c.schema), c.topic);
  for (const s of seen.services.values()) for (const text of [s.requestSchema, s.responseSchema]) listed(JSON.parse(text), s.name);
  fact("schemas of channels and services name the properties of their objects");

  const scene = await read(seen, "/scene"), tf = await read(seen, "/tf");
  assert.ok(scene.shapes.length > 0 && tf.transforms.length > 0);
  fact("latched and running channels are decoded by the schema that is advertised");

  seen.client.subscribeParameterUpdates([]);
  seen.client.getParameters([], "all");
  await until("parameters", () => seen.params.size > 10);
  seen.client.setParameters([{ name: "/water/density", value: 1010 }], "d");
  await until("the parameter", () => seen.params.get("/water/density") === 1010);
  seen.client.setParameters([{ name: "/water/density", value: -5 }], "e");
  await until("a refusal", () => seen.status.some((s) => /must be/.test(s.message)));
  fact("a parameter is set, followed and refused outside its range");

  // The answer waits until the world has taken or refused the order.
  const refused = await call(seen, "/order", { vehicle: "nobody", actuator: "rudder", value: 1 });
  assert.ok(!refused.ok);
  assert.match(refused.message, /nobody/);
  fact("an order that the world refuses is answered so");

  assert.ok((await call(seen, "/fault", { vehicle: "phoenix", part: "stern_rudder", kind: "stuck", value: 1 })).ok);
  await until("the fault", () => seen.params.get("/phoenix/stern_rudder/stuck") === 1);
  assert.match((await call(seen, "/fault", { vehicle: "phoenix", part: "nose", kind: "stuck", value: 1 })).message, /no live parameter/);
  fact("a fault is injected by a service, and one of a part that is not there refused");

  await call(seen, "/pause");
  await new Promise((done) => setTimeout(done, 300));
  const before = seen.time;
  await call(seen, "/step", { steps: 10 });
  await until("time to go on", () => seen.time > before);
  await new Promise((done) => setTimeout(done, 300));
  const after = seen.time;
  assert.ok(after > before);
  await new Promise((done) => setTimeout(done, 300));
  assert.equal(seen.time, after);
  fact("a run is paused and stepped by services");

  await call(seen, "/reset");
  await until("the start", () => seen.time < before && seen.params.get("/phoenix/stern_rudder/stuck") === 0);
  fact("reset goes back to the start, parameters too");

  const { scenarios } = await call(seen, "/scenarios");
  assert.ok(scenarios.some((s) => s.name === "fish-pool"));
  assert.match((await call(seen, "/load", { name: "../secret" })).message, /unknown scenario/);
  assert.ok((await call(seen, "/load", { name: "fish-pool" })).ok);
  await until("to be hung up", () => seen.closed);
  const next = await connect("foxglove.websocket.v1");
  assert.deepEqual(names(await read(next, "/tf")).sort(), ["blue", "green", "red"]);
  fact("another scenario is loaded, one that is not in the list refused");

  // What the page holds is given back when its last viewer leaves.
  assert.ok((await call(next, "/order", { vehicle: "red", actuator: "frequency", value: 1 })).ok);
  await read(next, "/red/actuators", (m) => m.owners.includes("page"));
  next.client.close();
  await until("the last viewer to have left", () => next.closed); // otherwise the next one joins before it has left
  const again = await connect("foxglove.websocket.v1");
  await read(again, "/red/actuators", (m) => !m.owners.includes("page"));
  fact("what the page holds is given back when its last viewer leaves");
  again.client.close();
}

const refused = new WebSocket(address, ["foxglove.sdk.v1"], { origin: "https://example.org" });
await new Promise((done) => { refused.on("error", done); refused.on("close", done); refused.on("open", () => assert.fail("a foreign origin was let in")); });
fact("a page of another origin is refused");
assert.equal(await server.stop(), STOPPED);
fact("the server ends with status 0 when it is told to");

// --- vehicles that come, go, and are sent somewhere ---
const text = (await readFile(mission, "utf8")).replace("<world ", '<world capacity="2" ');
const roomy = join(folder, "roomy.xml");
await writeFile(roomy, text);
server = await serve(program, [roomy, "--http", `127.0.0.1:${port}`, "--speed", "4"], { cwd: folder });
{
  const seen = await connect("foxglove.websocket.v1");
  assert.ok((await call(seen, "/spawn", { name: "wren", like: "phoenix", position: [5, -8, 4], heading: 1 })).ok);
  await read(seen, "/tf", (m) => names(m).includes("wren"));
  await until("its channels", () => seen.channels.has("/wren/odom"));
  assert.ok(![...seen.channels.keys()].some((topic) => topic.startsWith("/spawned")));
  const odom = await read(seen, "/wren/odom", (m) => m.child_frame_id === "wren/base_link");
  assert.ok(Math.abs(odom.pose.pose.position.x + 8) < 3 && Math.abs(odom.pose.pose.position.z + 4) < 2);
  await read(seen, "/scene", (m) => m.shapes.some((s) => s.frame === "wren/base_link"));
  await call(seen, "/remove", { name: "wren" });
  await read(seen, "/tf", (m) => !names(m).includes("wren"));
  await until("its channels to end", () => ![...seen.channels.keys()].some((topic) => topic.startsWith("/wren/")));
  fact("a vehicle is spawned where it is asked for, and removed");

  const at = (m) => m.vehicles.phoenix?.map((w) => w.position) ?? [];
  assert.equal(at(await read(seen, "/waypoints")).length, 4);
  await call(seen, "/waypoint", { vehicle: "phoenix", action: "move", index: 1, position: [33, 22, 5.5] });
  await read(seen, "/waypoints", (m) => JSON.stringify(at(m)[1]) === "[33,22,5.5]");
  await call(seen, "/waypoint", { vehicle: "phoenix", action: "add", position: [70, 5, 6] });
  await read(seen, "/waypoints", (m) => at(m).length === 5);
  await call(seen, "/waypoint", { vehicle: "phoenix", action: "clear" });
  await read(seen, "/waypoints", (m) => at(m).length === 0);
  fact("waypoints are told, moved, added and cleared");

  const demand = (m, what) => m.values[m.names.indexOf(`${what}.demand`)];
  await call(seen, "/desire", { vehicle: "phoenix", what: "depth", value: 4.25 });
  await call(seen, "/desire", { vehicle: "phoenix", what: "heading", value: 0.5 });
  await read(seen, "/phoenix/autopilot", (m) => demand(m, "depth") === 4.25 && demand(m, "heading") === 0.5);
  await call(seen, "/desire", { vehicle: "phoenix", what: "depth" });
  await read(seen, "/phoenix/autopilot", (m) => demand(m, "depth") !== 4.25);
  fact("heading and depth are desired and released");

  assert.ok((await call(seen, "/snapshot")).ok);
  const state = await until("the file", async () => (await readdir(folder)).find((name) => /^fathom-.*s\.state$/.test(name)));
  assert.ok((await stat(join(folder, state))).size > 1000);
  fact("a snapshot is written");
  seen.client.close();
}
assert.equal(await server.stop(), STOPPED);
await rm(folder, { recursive: true });
