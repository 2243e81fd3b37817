// A viewer that is not ours: the public client of the Foxglove WebSocket protocol.
//   node check_viewers.mjs FATHOM SCENARIO
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fact, freePort, serve, until } from "./served.mjs";
const require = createRequire(import.meta.url);
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");
const { WebSocket } = require("ws");

const [program, scenario] = process.argv.slice(2);
const port = freePort();
const server = await serve(program, [scenario, "--http", `127.0.0.1:${port}`, "--speed", "4"]);
const address = `ws://127.0.0.1:${port}`;

async function connect(protocol) {
  const client = new FoxgloveClient({ ws: new WebSocket(address, [protocol]) });
  const seen = { client, channels: new Map(), services: new Map(), messages: new Map(), params: new Map(), status: [] };
  client.on("error", (e) => { throw e; });
  client.on("serverInfo", (m) => (seen.info = m));
  client.on("advertise", (list) => list.forEach((c) => seen.channels.set(c.topic, c)));
  client.on("advertiseServices", (list) => list.forEach((s) => seen.services.set(s.name, s)));
  client.on("parameterValues", (m) => m.parameters.forEach((p) => seen.params.set(p.name, p.value)));
  client.on("status", (m) => seen.status.push(m));
  client.on("message", (m) => seen.messages.set(m.subscriptionId, m));
  client.on("serviceCallResponse", (m) => (seen.reply = m));
  client.on("time", (m) => (seen.time = m.timestamp));
  await until("greeting", () => seen.info && seen.services.size);
  return seen;
}

async function read(seen, topic) {
  const channel = seen.channels.get(topic);
  assert.ok(channel, `a channel ${topic}`);
  const id = seen.client.subscribe(channel.id), reader = new MessageReader(parse(channel.schema, { ros2: true }));
  const m = await until(`a message of ${topic}`, () => seen.messages.get(id));
  return reader.readMessage(new Uint8Array(m.data.buffer, m.data.byteOffset, m.data.byteLength));
}

function call(seen, name, request) {
  const service = seen.services.get(name);
  seen.reply = undefined;
  seen.client.sendServiceCallRequest({ serviceId: service.id, callId: 1, encoding: "json", data: new DataView(new TextEncoder().encode(JSON.stringify(request)).buffer) });
  return until(`an answer of ${name}`, () => seen.reply);
}

for (const protocol of ["foxglove.websocket.v1"]) {
  const seen = await connect(protocol);
  assert.equal(seen.info.name, "Fathom");
  for (const capability of ["time", "parameters", "parametersSubscribe", "services"]) assert.ok(seen.info.capabilities.includes(capability));
  fact("the public client is greeted with its capabilities");

  const scene = await read(seen, "/scene"), tf = await read(seen, "/tf");
  assert.ok(scene.shapes.length > 0 && tf.transforms.length > 0);
  fact("latched and running channels are decoded by the schema that is advertised");

  seen.client.subscribeParameterUpdates([]);
  seen.client.getParameters([], "all");
  await until("parameters", () => seen.params.size > 10);
  seen.client.setParameters([{ name: "/water/density", value: 1010 }], "d");
  await until("the parameter", () => seen.params.get("/water/density") === 1010);
  seen.client.setParameters([{ name: "/water/density", value: -5 }], "e");
  await until("a refusal", () => seen.status.some((s) => /accepted are/.test(s.message)));
  fact("a parameter is set, followed and refused outside its range");

  // What the world refuses, when its turn comes, viewers are told.
  const notes = seen.client.subscribe(seen.channels.get("/notes").id);
  await call(seen, "/order", { vehicle: "nobody", actuator: "rudder", value: 1 });
  const note = await until("a note", () => seen.messages.get(notes));
  assert.match(JSON.parse(new TextDecoder().decode(note.data)).text, /nobody/);
  fact("an order that the world refuses is told");

  await call(seen, "/pause", {});
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
  seen.client.close();
}

const refused = new WebSocket(address, ["foxglove.sdk.v1"], { origin: "https://example.org" });
await new Promise((done) => { refused.on("error", done); refused.on("close", done); refused.on("open", () => assert.fail("a foreign origin was let in")); });
fact("a page of another origin is refused");
assert.equal(await server.stop(), 0);
fact("the server ends with status 0 when it is told to");
