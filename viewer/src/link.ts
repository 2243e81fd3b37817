/** The connection to the program, in the Foxglove WebSocket protocol. The socket itself runs in a worker thread (worker.ts). */
import { isSecond, twinOf } from "./compare";
import type { Channel, ClientText, Parameter, ServerInfo, ServerText } from "./protocol";

export type { Channel, Parameter, ServerInfo } from "./protocol";

/** A decoded message with its simulation time (s). */
export type Listener<M> = (message: M, time: number, channel: Channel) => void;

/** Messages between the page and the worker thread. */
export interface Piece {
  messages: [subscription: number, time: number, message: unknown][];
  time: number; // s of simulation; below 0: not received
  received: number; // bytes since the start
}
export type FromWorker = { open: boolean } | { text: ServerText } | { bytes: ArrayBuffer } | { piece: Piece };
export type ToWorker =
  { url: string } | { ready: true } | { drop: true } | { send: ClientText | Uint8Array<ArrayBuffer> };

interface Subscription {
  id: number;
  listeners: Set<Listener<unknown>>;
}

const text = new TextDecoder();
const encoder = new TextEncoder();

export class Link {
  channels = new Map<number, Channel>();
  byTopic = new Map<string, Channel>();
  info: ServerInfo | null = null;
  connected = false;
  /** s of simulation, last value from the server */
  time = 0;
  onState: (connected: boolean) => void = () => {};
  onInfo: (info: ServerInfo, again: boolean) => void = () => {};
  onChannels: (changed: Channel[]) => void = () => {};
  onServices: () => void = () => {};
  onTime: (time: number) => void = () => {};
  onParameters: (parameters: Parameter[]) => void = () => {};
  onStatus: (level: number, message: string) => void = () => {};
  onPlayback: (state: number, time: number, speed: number, sought: boolean) => void = () => {};
  /** since the start; `time` (ms) is spent by the page on handling them */
  received = { bytes: 0, messages: 0, pieces: 0, time: 0 };

  private worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private wanted = new Map<string, Set<Listener<unknown>>>();
  private live = new Map<number, Subscription>(); // by channel
  private bySubscription = new Map<number, Channel>();
  private services = new Map<string, number>();
  private calls = new Map<number, { done: (reply: unknown) => void; failed: (error: Error) => void }>();
  private next = 1;
  private delay = 250;
  private hidden = false;

  constructor(private url: string) {
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => {
      const start = performance.now();
      this.take(event.data);
      this.received.time += performance.now() - start;
    };
  }

  open(): void {
    this.worker.postMessage({ url: this.url } satisfies ToWorker);
  }

  private take(data: FromWorker): void {
    if ("piece" in data) {
      this.takePiece(data.piece);
      this.worker.postMessage({ ready: true } satisfies ToWorker);
    } else if ("text" in data) this.takeText(data.text);
    else if ("bytes" in data) this.takeBytes(data.bytes);
    else if (data.open) {
      this.delay = 250;
      this.connected = true;
      this.onState(true);
    } else {
      this.forget();
      this.onState(false);
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(2 * this.delay, 4000);
    }
  }

  /** A hidden page unsubscribes from everything. */
  hide(hidden: boolean): void {
    if (hidden === this.hidden) return;
    this.hidden = hidden;
    if (hidden) {
      const ids = [...this.bySubscription.keys()];
      this.live.clear();
      this.bySubscription.clear();
      if (ids.length) this.send({ op: "unsubscribe", subscriptionIds: ids });
    } else this.subscribe([...this.channels.values()]);
  }

  /** The prefix of a vehicle's topics: "/phoenix". */
  home(vehicle: string): string {
    return isSecond(vehicle) ? `/compare/${twinOf(vehicle)}` : `/${vehicle}`;
  }

  private forget(): void {
    this.connected = false;
    this.channels.clear();
    this.byTopic.clear();
    this.live.clear();
    this.bySubscription.clear();
    this.services.clear();
    for (const call of this.calls.values()) call.failed(new Error("connection lost"));
    this.calls.clear();
  }

  private send(data: ClientText | Uint8Array<ArrayBuffer>): void {
    if (this.connected) this.worker.postMessage({ send: data } satisfies ToWorker);
  }

  // --- subscriptions -------------------------------------------------------------------------------------------------

  /** Calls `take` for the last message of a topic and for each new one. Returns a function that stops this. */
  listen<M>(topic: string, take: Listener<M>): () => void {
    const listener = take as Listener<unknown>;
    let set = this.wanted.get(topic);
    if (!set) this.wanted.set(topic, (set = new Set()));
    set.add(listener);
    const channel = this.byTopic.get(topic);
    if (channel) this.subscribe([channel], set.size > 1);
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.wanted.get(topic) === set) {
        this.wanted.delete(topic);
        this.unsubscribe(topic);
      }
    };
  }

  private subscribe(channels: Channel[], again = false): void {
    if (this.hidden) return;
    const rows: { id: number; channelId: number }[] = [];
    for (const channel of channels) {
      const listeners = this.wanted.get(channel.topic);
      if (!listeners) continue;
      const old = this.live.get(channel.id);
      if (old && !again) continue;
      if (old) {
        // A new listener needs the last message: subscribe again.
        this.send({ op: "unsubscribe", subscriptionIds: [old.id] });
        this.bySubscription.delete(old.id);
      }
      const id = this.next++;
      this.live.set(channel.id, { id, listeners });
      this.bySubscription.set(id, channel);
      rows.push({ id, channelId: channel.id });
    }
    if (rows.length) this.send({ op: "subscribe", subscriptions: rows });
  }

  private unsubscribe(topic: string): void {
    const channel = this.byTopic.get(topic);
    const old = channel && this.live.get(channel.id);
    if (!channel || !old) return;
    this.live.delete(channel.id);
    this.bySubscription.delete(old.id);
    this.send({ op: "unsubscribe", subscriptionIds: [old.id] });
  }

  // --- server messages -----------------------------------------------------------------------------------------------

  private takeText(m: ServerText): void {
    switch (m.op) {
      case "serverInfo": {
        const again = this.info?.sessionId === m.sessionId && this.info?.metadata.file === m.metadata?.file;
        this.info = m;
        this.onInfo(this.info, again);
        this.send({ op: "getParameters", parameterNames: [], id: "all" });
        this.send({ op: "subscribeParameterUpdates", parameterNames: [] });
        break;
      }
      case "advertise":
        for (const channel of m.channels) {
          this.channels.set(channel.id, channel);
          this.byTopic.set(channel.topic, channel);
        }
        this.subscribe(m.channels);
        this.onChannels(m.channels);
        break;
      case "unadvertise":
        this.onChannels(m.channelIds.flatMap((id) => this.end(id)));
        break;
      case "advertiseServices":
        for (const service of m.services) this.services.set(service.name, service.id);
        this.onServices();
        break;
      case "parameterValues":
        this.onParameters(m.parameters);
        break;
      case "status":
        this.onStatus(m.level, m.message);
        break;
      case "serviceCallFailure": {
        const call = this.calls.get(m.callId);
        this.calls.delete(m.callId);
        call?.failed(new Error(m.message));
        break;
      }
    }
  }

  /** The vehicle of a channel was removed; a new vehicle with its name has a new channel. */
  private end(id: number): Channel[] {
    const channel = this.channels.get(id),
      old = this.live.get(id);
    if (!channel) return [];
    this.channels.delete(id);
    if (this.byTopic.get(channel.topic) === channel) this.byTopic.delete(channel.topic);
    this.live.delete(id);
    if (old) this.bySubscription.delete(old.id);
    return [channel];
  }

  private takeBytes(buffer: ArrayBuffer): void {
    const view = new DataView(buffer);
    if (view.getUint8(0) === 3) {
      const id = view.getUint32(5, true),
        length = view.getUint32(9, true),
        call = this.calls.get(id);
      this.calls.delete(id);
      call?.done(JSON.parse(text.decode(new Uint8Array(buffer, 13 + length))));
    } else if (view.getUint8(0) === 5)
      this.onPlayback(
        view.getUint8(1),
        Number(view.getBigUint64(2, true)) * 1e-9,
        view.getFloat32(10, true),
        view.getUint8(14) !== 0,
      );
  }

  private takePiece(piece: Piece): void {
    this.received.bytes = piece.received;
    this.received.pieces++;
    this.received.messages += piece.messages.length;
    if (piece.time >= 0) this.onTime((this.time = piece.time));
    for (const [id, time, message] of piece.messages) {
      const channel = this.bySubscription.get(id),
        subscription = channel && this.live.get(channel.id);
      if (subscription?.id === id)
        for (const listener of [...subscription.listeners]) listener(message, time, channel!);
    }
  }

  // --- requests ------------------------------------------------------------------------------------------------------

  has(service: string): boolean {
    return this.services.has(service);
  }

  call<Reply>(service: string, request: object = {}): Promise<Reply> {
    const id = this.services.get(service);
    if (id === undefined) return Promise.reject(new Error(`${service.slice(1)} is not supported here`));
    const call = this.next++,
      body = encoder.encode(JSON.stringify(request));
    const bytes = new Uint8Array(17 + body.length),
      view = new DataView(bytes.buffer);
    view.setUint8(0, 2);
    view.setUint32(1, id, true);
    view.setUint32(5, call, true);
    view.setUint32(9, 4, true);
    bytes.set(encoder.encode("json"), 13);
    bytes.set(body, 17);
    return new Promise((done, failed) => {
      this.calls.set(call, { done: (reply) => done(reply as Reply), failed });
      this.send(bytes);
    });
  }

  set(name: string, value: number): void {
    this.send({ op: "setParameters", parameters: [{ name, value, type: "float64" }], id: name });
  }

  /** Plays or pauses a recording at a speed; `seek` (s) sets the time first. */
  play(playing: boolean, speed: number, seek?: number): void {
    const id = encoder.encode(String(this.next++));
    const bytes = new Uint8Array(19 + id.length),
      view = new DataView(bytes.buffer);
    view.setUint8(0, 3);
    view.setUint8(1, playing ? 0 : 1);
    view.setFloat32(2, speed, true);
    view.setUint8(6, seek === undefined ? 0 : 1);
    view.setBigUint64(7, BigInt(Math.max(0, Math.round((seek ?? 0) * 1e9))), true);
    view.setUint32(15, id.length, true);
    bytes.set(id, 19);
    this.send(bytes);
  }

  /** For tests: drops the connection. */
  drop(): void {
    this.worker.postMessage({ drop: true } satisfies ToWorker);
  }
}
