/** The socket, in a worker thread: frames are received and decoded here, so that the page stays smooth. The page receives all
 * waiting messages in one piece, and the next piece when it has handled the last one. While the page is busy, event channels
 * keep all messages, other channels only the newest ones. */
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import type { Poses } from "./fleet";
import type { FromWorker, Piece, ToWorker } from "./link";
import type { TFMessage } from "./messages";
import type { Channel, ServerText } from "./protocol";

const kept = 40; // maximum number of waiting messages per channel
const gather = 6; // ms
const text = new TextDecoder();

let socket: WebSocket | null = null;
const channels = new Map<number, Channel>();
const subscriptions = new Map<number, Channel>();
const readers = new Map<string, MessageReader>();
let waiting: { id: number; bytes: ArrayBuffer }[] = [];
const counts = new Map<number, number>();
let time = -1,
  received = 0,
  ready = true,
  timer = 0;

const tell = (message: FromWorker) => postMessage(message);
const isSparse = (topic: string) => /^\/(compare\/)?(events|inputs|acoustics\/.*)$/.test(topic) || topic === "/notes";

function open(url: string): void {
  const made = new WebSocket(url, ["foxglove.sdk.v1", "foxglove.websocket.v1"]);
  made.binaryType = "arraybuffer";
  socket = made;
  made.onopen = () => tell({ open: true });
  made.onmessage = (event) =>
    typeof event.data === "string" ? takeText(JSON.parse(event.data)) : takeBytes(event.data as ArrayBuffer);
  made.onclose = () => {
    if (socket !== made) return;
    waiting = [];
    counts.clear();
    channels.clear();
    subscriptions.clear();
    tell({ open: false });
  };
}

function takeText(m: ServerText): void {
  if (m.op === "serverInfo") readers.clear();
  if (m.op === "advertise") for (const channel of m.channels) channels.set(channel.id, channel);
  if (m.op === "unadvertise")
    for (const gone of m.channelIds) {
      channels.delete(gone);
      for (const [id, channel] of subscriptions) if (channel.id === gone) subscriptions.delete(id);
    }
  tell({ text: m });
}

function takeBytes(bytes: ArrayBuffer): void {
  const view = new DataView(bytes);
  received += bytes.byteLength;
  switch (view.getUint8(0)) {
    case 1: {
      const id = view.getUint32(1, true);
      waiting.push({ id, bytes });
      counts.set(id, (counts.get(id) ?? 0) + 1);
      break;
    }
    case 2:
      time = Number(view.getBigUint64(1, true)) / 1e9;
      break;
    default:
      flush();
      return postMessage({ bytes } satisfies FromWorker, { transfer: [bytes] });
  }
  if (ready && !timer) timer = setTimeout(flush, gather) as unknown as number;
  if (waiting.length > 4000) thin();
}

/** Keeps the newest messages of each channel, and all messages of event channels. */
function thin(): void {
  waiting = waiting.filter(({ id }) => {
    const n = counts.get(id)!,
      sparse = isSparse(subscriptions.get(id)?.topic ?? "");
    if (!sparse) counts.set(id, n - 1);
    return sparse || n <= kept;
  });
  counts.clear();
  for (const { id } of waiting) counts.set(id, (counts.get(id) ?? 0) + 1);
}

function decode(channel: Channel, bytes: Uint8Array): unknown {
  if (channel.encoding === "json") return JSON.parse(text.decode(bytes));
  let reader = readers.get(channel.schemaName);
  if (!reader) readers.set(channel.schemaName, (reader = new MessageReader(parse(channel.schema, { ros2: true }))));
  const message = reader.readMessage(bytes);
  return channel.schemaName === "tf2_msgs/msg/TFMessage" ? posesOf(message as TFMessage) : message;
}

/** With many vehicles a message has thousands of small objects, which are slow to transfer; two lists are fast. */
function posesOf(message: TFMessage): Poses {
  const list = message.transforms.filter((t) => ["map", "odom"].includes(t.header.frame_id)),
    numbers = new Float64Array(7 * list.length);
  list.forEach((t, i) => {
    const { translation: o, rotation: r } = t.transform;
    numbers.set([o.x, o.y, o.z, r.x, r.y, r.z, r.w], 7 * i);
  });
  return { names: list.map((t) => t.child_frame_id.replace(/\/base_link$/, "")), numbers };
}

function flush(): void {
  clearTimeout(timer);
  timer = 0;
  if (!waiting.length && time < 0) return;
  thin();
  const messages: Piece["messages"] = [];
  for (const { id, bytes } of waiting) {
    const channel = subscriptions.get(id),
      view = new DataView(bytes);
    if (channel)
      messages.push([id, Number(view.getBigUint64(5, true)) / 1e9, decode(channel, new Uint8Array(bytes, 13))]);
  }
  waiting = [];
  counts.clear();
  ready = false;
  tell({ piece: { messages, time, received } });
  time = -1;
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("url" in data) return open(data.url);
  if ("ready" in data) {
    ready = true;
    if (waiting.length || time >= 0) timer ||= setTimeout(flush, gather) as unknown as number;
    return;
  }
  if ("drop" in data) return socket?.close();
  const m = data.send;
  if ("op" in m && m.op === "subscribe")
    for (const s of m.subscriptions) subscriptions.set(s.id, channels.get(s.channelId)!);
  if ("op" in m && m.op === "unsubscribe") for (const id of m.subscriptionIds) subscriptions.delete(id);
  if (socket?.readyState === WebSocket.OPEN) socket.send("op" in m ? JSON.stringify(m) : m);
};
