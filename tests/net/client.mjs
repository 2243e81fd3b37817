// A client of `fathom serve` in Node.js alone, written from docs/protocol.md.
//
// usage: client.mjs HOST:PORT VEHICLE SECONDS PARAMETER=VALUE KEY|- ORDER…
// Sets the parameter, steers VEHICLE for SECONDS of simulation by ORDERs in its actuators' units; prints what came of it.
import { randomBytes } from "node:crypto";
import dgram from "node:dgram";
import { readFileSync } from "node:fs";
import { blake2b } from "./blake2b.mjs";

const [HELLO, CHALLENGE, CONNECT, WELCOME, REJECT, DISCONNECT, BYE, PING, PONG] = [1, 2, 3, 4, 5, 6, 7, 0x10, 0x11];
const [ACTUATE, STATE, SENSORS, COMMAND, RESULT, DESCRIBE, DESCRIPTION] = [0x20, 0x21, 0x22, 0x42, 0x41, 0x60, 0x61];
const table = Array.from({ length: 256 }, (_, n) => {
  for (let i = 0; i < 8; i++) n = (n >>> 1) ^ (n & 1 ? 0x82f63b78 : 0);
  return n >>> 0;
});
const crc32c = (data) => (data.reduce((crc, byte) => table[(crc ^ byte) & 255] ^ (crc >>> 8), ~0) ^ ~0) >>> 0;
const text = (data, at, size) => data.toString("utf8", at, at + size).split("\0")[0];

class Client {
  key = null; // 32 bytes: datagrams are sealed
  token = 0n;
  sequence = 0;
  id = 0;
  waiting = []; // { type, matches, take }
  hear = () => {}; // type, time, payload of what nobody waits for

  async connect(address, role, name, model) {
    const [host, port] = address.split(":");
    this.socket = dgram.createSocket("udp4", (data) => this.take(data));
    await new Promise((done) => this.socket.connect(Number(port), host, done));
    this.socket.on("error", () => {}); // nobody there yet: it is asked again
    const nonce = randomBytes(8);
    const hello = Buffer.alloc(160);
    nonce.copy(hello);
    hello.set([1, 1, role], 8);
    const mine = (payload) => payload.subarray(0, 8).equals(nonce);
    const connect = Buffer.alloc(159);
    (await this.ask(HELLO, hello, CHALLENGE, mine)).payload.copy(connect, 0, 8, 24);
    connect[16] = role;
    connect.write(name, 17);
    connect.write(model, 49);
    connect.writeUInt32LE(50000, 129);
    nonce.copy(connect, 133);
    const { token, payload } = await this.ask(CONNECT, connect, WELCOME, (p) => p.subarray(51, 59).equals(nonce));
    Object.assign(this, { token, id: payload.readUInt16LE(0), dt: Number(payload.readBigUInt64LE(2)), vehicle: payload.readUInt16LE(47) });
  }

  send(type, payload) {
    let data = Buffer.concat([Buffer.alloc(40), payload]);
    data.write("FTHM\x01");
    data[5] = this.key ? 4 : 0;
    data.writeUInt16LE(type, 6);
    data.writeUInt32LE(data.length + (this.key ? 16 : 0), 8);
    data.writeUInt32LE(this.token ? ++this.sequence : 0, 12);
    data.writeBigUInt64LE(this.token, 16);
    data.writeUInt16LE(this.id, 32);
    if (this.key) data = Buffer.concat([data, blake2b(data, this.key, 16)]);
    data.writeUInt32LE(crc32c(data), 36);
    this.socket.send(data);
  }

  take(data) {
    const crc = data.readUInt32LE(36), type = data.readUInt16LE(6), end = data.length - (this.key ? 16 : 0), payload = data.subarray(40, end);
    data.writeUInt32LE(0, 36);
    if (text(data, 0, 4) !== "FTHM" || data.readUInt32LE(8) !== data.length || crc32c(data) !== crc || !(data[5] & 16)) return;
    if (this.key && !blake2b(data.subarray(0, end), this.key, 16).equals(data.subarray(end))) return;
    if (type === PING) this.send(PONG, payload);
    if (type === REJECT) throw new Error(text(payload, 2, 144));
    const i = this.waiting.findIndex((w) => w.type === type && w.matches(payload));
    if (i >= 0) this.waiting.splice(i, 1)[0].take({ payload, token: data.readBigUInt64LE(16) });
    else this.hear(type, Number(data.readBigUInt64LE(24)), payload);
  }

  // Repeats a request every 200 ms until its answer comes.
  ask(type, payload, answer, matches = () => true) {
    return new Promise((take) => {
      const again = setInterval(() => this.send(type, payload), 200);
      this.waiting.push({ type: answer, matches, take: (got) => (clearInterval(again), take(got)) });
      this.send(type, payload);
    });
  }

  async describe(what, pattern = "") {
    const records = [];
    for (let total = 1; records.length < total;) {
      const asked = Buffer.alloc(104);
      asked.writeUInt16LE(what, 0);
      asked.writeUInt32LE(records.length, 4);
      asked.write(pattern, 8);
      const same = (p) => p.readUInt16LE(0) === what && p.readUInt32LE(4) === asked.readUInt32LE(4);
      const { payload } = await this.ask(DESCRIBE, asked, DESCRIPTION, same);
      total = payload.readUInt32LE(8);
      const count = payload.readUInt16LE(12), size = payload.readUInt16LE(14);
      for (let i = 0; i < count; i++) records.push(payload.subarray(16 + i * size, 16 + (i + 1) * size));
    }
    return records;
  }
}

const [address, vehicle, seconds, parameter, key, ...orders] = process.argv.slice(2);
const client = new Client();
if (key !== "-") client.key = Buffer.from(readFileSync(key, "utf8").trim(), "hex");
await client.connect(address, 6, "javascript", vehicle);
const command = Buffer.alloc(110);
command.writeUInt16LE(6, 0);
command.writeUInt32LE(1, 2);
command.write(parameter.split("=")[0], 6);
command.writeDoubleLE(Number(parameter.split("=")[1]), 102);
const { payload: result } = await client.ask(COMMAND, command, RESULT, (p) => p.readUInt32LE(2) === 1);
const said = { id: client.id, dt: client.dt, vehicle: client.vehicle, result: result.readUInt16LE(0), states: 0, values: {} };
said.parameter = (await client.describe(7, parameter.split("=")[0])).map((r) => r.readDoubleLE(112));
said.actuators = (await client.describe(1)).map((r) => text(r, 0, 32));
said.instruments = (await client.describe(2)).map((r) => text(r, 2, 32));
const fields = (await client.describe(3)).filter((r) => r[82] === 1); // those of f64
const actuate = Buffer.alloc(12 + 4 * orders.length);
actuate.set([4, orders.length], 8);
actuate.writeUInt16LE(500, 10);
orders.forEach((order, i) => actuate.writeFloatLE(Number(order), 12 + 4 * i));
await new Promise((done) => {
  let start = null;
  client.hear = (type, time, payload) => {
    if (type === STATE) {
      const doing = Array.from({ length: payload[104] }, (_, i) => payload.readFloatLE(105 + 4 * i));
      Object.assign(said, { time, position: [0, 8, 16].map((i) => payload.readDoubleLE(i)), doing, states: said.states + 1 });
      start ??= time;
      client.send(ACTUATE, actuate);
      if (time - start >= 1e4 * Number(seconds)) done();
    }
    for (let at = 0; type === SENSORS && at < payload.length; at += 12 + payload.readUInt16LE(at + 2))
      for (const f of fields.filter((r) => r.readUInt16LE(0) === payload.readUInt16LE(at) && payload[at + 14] === 1))
        said.values[`${payload.readUInt16LE(at)}/${text(f, 2, 48)}`] = Array.from({ length: f.readUInt32LE(83) }, (_, i) =>
          f.readDoubleLE(91) * payload.readDoubleLE(at + 16 + f.readUInt32LE(87) + 8 * i) + f.readDoubleLE(99));
  };
});
said.bye = (await client.ask(DISCONNECT, Buffer.alloc(2), BYE)).payload.readUInt16LE(0);
console.log(JSON.stringify(said));
client.socket.close();
