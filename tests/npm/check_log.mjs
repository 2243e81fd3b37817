// Reads a log of Fathom with the public MCAP and ROS 2 libraries, independent of Fathom's own reader:
//   node check_log.mjs FILE...
// Checks: CRCs, indexed and streaming readers agree, every message decodes to its last byte with the schema in the file,
// and standard types have the fields of ROS 2 Jazzy.
import { readFile, open } from "node:fs/promises";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const { ros2jazzy } = require("@foxglove/rosmsg-msgs-common");
const zstd = require("@foxglove/wasm-zstd");
const lz4Module = require("@foxglove/wasm-lz4");
const lz4 = lz4Module.default ?? lz4Module;

async function decompressors() {
  await zstd.isLoaded;
  await lz4.isLoaded;
  return {
    zstd: (data, size) => zstd.decompress(data, Number(size)),
    lz4: (data, size) => lz4(data, Number(size)),
  };
}

async function fileReadable(path) {
  const handle = await open(path, "r");
  return {
    size: async () => BigInt((await handle.stat()).size),
    read: async (offset, length) => {
      const buffer = new Uint8Array(Number(length));
      await handle.read(buffer, 0, Number(length), Number(offset));
      return buffer;
    },
    close: () => handle.close(),
  };
}

const plain = (fields) => fields.filter((f) => !f.isConstant).map((f) => [f.type, f.name, f.isArray ?? false, f.arrayLength ?? 0]);

// Our definition of a standard type against the published one; time is what rosmsg calls builtin_interfaces/Time.
function checkStandard(definitions) {
  let checked = 0;
  for (const definition of definitions) {
    const name = definition.name.replace("/msg/", "/");
    const standard = ros2jazzy[name];
    if (standard) {
      assert.deepEqual(plain(definition.definitions), plain(standard.definitions), name);
      checked++;
    }
  }
  return checked;
}

async function check(path, handlers) {
  const stream = new McapStreamReader({ decompressHandlers: handlers, validateCrcs: true });
  stream.append(await readFile(path));
  let streamed = 0;
  for (let record; (record = stream.nextRecord()); ) if (record.type === "Message") streamed++;
  assert.ok(stream.done(), "the stream reader reached the end");

  const file = await fileReadable(path);
  const reader = await McapIndexedReader.Initialize({ readable: file, decompressHandlers: handlers });
  const readers = new Map(), writers = new Map();
  let standard = 0;
  for (const channel of reader.channelsById.values()) {
    const schema = reader.schemasById.get(channel.schemaId);
    assert.equal(schema.encoding, "ros2msg");
    assert.equal(channel.messageEncoding, "cdr");
    const definitions = parse(new TextDecoder().decode(schema.data), { ros2: true });
    definitions[0].name = schema.name;
    standard += checkStandard(definitions);
    readers.set(channel.id, new MessageReader(definitions));
    writers.set(channel.id, new MessageWriter(definitions));
  }
  let indexed = 0, last = 0n;
  const topics = new Map(), markers = [], frames = new Set(["map", "odom"]);
  for await (const message of reader.readMessages({ validateCrcs: true })) {
    const value = readers.get(message.channelId).readMessage(message.data);
    // Written again by the other library, the message has the same bytes.
    assert.deepEqual(Buffer.from(writers.get(message.channelId).writeMessage(value)), Buffer.from(message.data));
    assert.ok(message.logTime >= last);
    last = message.logTime;
    const topic = reader.channelsById.get(message.channelId).topic;
    topics.set(topic, (topics.get(topic) ?? 0) + 1);
    if (topic.endsWith("/odometry")) checkOdometry(value, message.logTime);
    if (topic.startsWith("/markers/")) markers.push({ topic, list: value.markers });
    if (topic === "/tf") for (const t of value.transforms) frames.add(t.child_frame_id);
    indexed++;
  }
  assert.equal(BigInt(indexed), reader.statistics.messageCount);
  assert.equal(indexed, streamed);
  for await (const attachment of reader.readAttachments()) assert.ok(attachment.data.byteLength > 0);
  for await (const metadata of reader.readMetadata()) assert.ok(metadata.metadata.size > 0);
  await file.close();
  if (path.endsWith("world_a.mcap")) checkMarkers(markers, frames);
  return { messages: indexed, standard, topics: Object.fromEntries(topics) };
}

function checkOdometry(odometry, time) {
  const { sec, nsec, nanosec } = odometry.header.stamp;
  assert.equal(BigInt(sec) * 1000000000n + BigInt(nsec ?? nanosec), time);
  const q = odometry.pose.pose.orientation;
  assert.ok(Math.abs(Math.hypot(q.x, q.y, q.z, q.w) - 1) < 1e-9, "a unit quaternion");
  assert.equal(odometry.pose.covariance.length, 36);
}

// The scene for other viewers (tests/telemetry/test_world_channels.c: a rock of 2 m at 30 m north, 5 m deep, bottom at 30 m;
// vehicles a and b, c for a while).
function checkMarkers(markers, frames) {
  const world = markers.filter((m) => m.topic === "/markers/world"), fleet = markers.filter((m) => m.topic === "/markers/vehicles");
  assert.equal(world.length, 1);
  for (const { list } of markers)
    for (const m of list) {
      const q = m.pose.orientation;
      assert.ok(frames.has(m.header.frame_id), "a frame that /tf moves: " + m.header.frame_id);
      assert.ok(Math.abs(Math.hypot(q.x, q.y, q.z, q.w) - 1) < 1e-9, "a unit quaternion");
      if (m.type === 11) assert.ok(m.points.length > 0 && m.points.length % 3 === 0, "whole triangles");
    }
  const rock = world[0].list.find((m) => m.ns === "rock");
  assert.deepEqual([rock.type, rock.scale.x, rock.pose.position.x, rock.pose.position.y, rock.pose.position.z], [2, 4, 0, 30, -5]);
  assert.ok(world[0].list.find((m) => m.ns === "bottom").points.every((p) => p.z === -30));
  const names = fleet.map(({ list }) => [...new Set(list.slice(1).map((m) => m.ns))].join(" "));
  assert.ok(fleet.every(({ list }) => list[0].action === 3), "what was there before goes");
  assert.deepEqual(names, ["a b", "a b c", "a b"]);
}

const handlers = await decompressors();
for (const path of process.argv.slice(2)) {
  const result = await check(path, handlers);
  assert.ok(result.messages > 0 && result.standard > 0, path);
  console.log(path, JSON.stringify(result));
}
