/** The vehicles of the page. Positions are east, north, up (m), as in the messages. */
import { isSecond, pale, prime, twinOf } from "./compare";
import type { Link } from "./link";

export const trackLength = 1200;

export interface Sample {
  time: number; // s of simulation
  at: number; // ms of the page's clock
  p: [number, number, number];
  q: [number, number, number, number]; // x, y, z, w
}

/** Roll, pitch (nose up) and heading (from north, 0 … 2π), rad, of a quaternion x, y, z, w to east, north, up. */
export function eulerOf([x, y, z, w]: [number, number, number, number]): [number, number, number] {
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)); // from east, anticlockwise
  const heading = (((Math.PI / 2 - yaw) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    -Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    heading,
  ];
}

export class Vehicle {
  before: Sample;
  now: Sample;
  /** pose drawn: interpolated between the two samples */
  p: [number, number, number];
  q: [number, number, number, number];
  isBuoy = false;
  track = new Float32Array(3 * trackLength);
  private trackTimes = new Float64Array(trackLength); // s
  trackCount = 0;
  trackNext = 0;

  constructor(
    readonly name: string,
    public colour: string,
    first: Sample,
  ) {
    this.before = this.now = first;
    this.p = [...first.p];
    this.q = [...first.q];
  }

  /** `tracked`: also adds the sample to the track. */
  take(sample: Sample, tracked: boolean): void {
    if (sample.time < this.now.time - 1e-9) this.forgetTrack();
    this.before = this.now;
    this.now = sample;
    const gap = Math.abs(sample.p[0] - this.before.p[0]) + Math.abs(sample.p[1] - this.before.p[1]);
    if (gap > 50) this.before = sample; // it was moved to another place
    if (!tracked) return;
    this.track.set(sample.p, 3 * this.trackNext);
    this.trackTimes[this.trackNext] = sample.time;
    this.trackNext = (this.trackNext + 1) % trackLength;
    this.trackCount = Math.min(this.trackCount + 1, trackLength);
  }

  forgetTrack(): void {
    this.trackCount = this.trackNext = 0;
  }

  /** Where it was at a time (s): the nearest point of the track; null: the track does not reach so far back. */
  placeAt(time: number): [number, number, number] | null {
    let best = -1,
      least = 2; // s
    for (let i = 0; i < this.trackCount; i++) {
      const apart = Math.abs(this.trackTimes[i] - time);
      if (apart < least) [best, least] = [i, apart];
    }
    return best < 0 ? null : [this.track[3 * best], this.track[3 * best + 1], this.track[3 * best + 2]];
  }

  /** Writes the i-th point of the track, oldest first, into a list; without a track, the current position. */
  trackPoint(i: number, to: Float32Array, at: number): void {
    if (i < 0 || !this.trackCount) return to.set(this.now.p, at);
    const k = 3 * ((this.trackNext - this.trackCount + i + 2 * trackLength) % trackLength);
    to[at] = this.track[k];
    to[at + 1] = this.track[k + 1];
    to[at + 2] = this.track[k + 2];
  }

  /** Draws one sample late, so that nothing is extrapolated. */
  interpolate(at: number): void {
    const span = Math.max(8, this.now.at - this.before.at);
    const f = Math.min(1, Math.max(0, (at - this.now.at) / span));
    const a = this.before,
      b = this.now;
    for (let i = 0; i < 3; i++) this.p[i] = a.p[i] + f * (b.p[i] - a.p[i]);
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += a.q[i] * b.q[i];
    const s = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let i = 0; i < 4; i++) {
      this.q[i] = a.q[i] + f * (s * b.q[i] - a.q[i]);
      norm += this.q[i] * this.q[i];
    }
    norm = 1 / Math.sqrt(norm || 1);
    for (let i = 0; i < 4; i++) this.q[i] *= norm;
  }

  private what = "";
  get model(): string {
    return this.what;
  }
  set model(name: string) {
    this.what = name;
    this.isBuoy = /buoy/i.test(name);
  }
  get depth(): number {
    return -this.now.p[2];
  }
  /** rad from north, clockwise */
  get heading(): number {
    return eulerOf(this.now.q)[2];
  }
  /** rad: roll to starboard, pitch nose up */
  get roll(): number {
    return eulerOf(this.now.q)[0];
  }
  get pitch(): number {
    return eulerOf(this.now.q)[1];
  }
  /** m/s over ground */
  get speed(): number {
    const dt = this.now.time - this.before.time;
    if (!(dt > 0)) return 0;
    return Math.hypot(...this.now.p.map((v, i) => v - this.before.p[i])) / dt;
  }
}

// Colours that most people can distinguish; further ones are hues at the golden angle.
const palette = [
  "#4cc3ff",
  "#ffb000",
  "#ff6f91",
  "#6ee7b7",
  "#c7a4ff",
  "#ff8a3d",
  "#9bd33c",
  "#f2e863",
  "#5f9bff",
  "#e58ad6",
];
/** Vehicles that are named for a colour have it, as they do in figures. */
const named: Record<string, string> = {
  red: "#f0645a",
  green: "#2fc79a",
  blue: "#56b4e9",
  orange: "#e69f00",
  yellow: "#f0e442",
  purple: "#b98ad0",
  pink: "#e39ac0",
  brown: "#c08a58",
  black: "#e8e8e8",
  grey: "#aab2ba",
  cyan: "#4cc9e6",
  magenta: "#e05bb8",
};
export function colourOf(i: number): string {
  return i < palette.length ? palette[i] : `hsl(${((i * 137.508) % 360).toFixed(0)} 75% 65%)`;
}

/** Poses of the vehicles as the worker packs them: seven numbers each (x, y, z, then the quaternion x, y, z, w). */
export interface Poses {
  names: string[];
  numbers: Float64Array;
}

export class Fleet {
  vehicles = new Map<string, Vehicle>();
  onCome: (vehicle: Vehicle) => void = () => {};
  onGo: (vehicle: Vehicle) => void = () => {};
  /** every vehicle has one more point in its track; `again`: all tracks start again */
  onTrack: (again: boolean) => void = () => {};
  private order = new Map<string, number>();
  private tracked = { "": -1e9, [prime]: -1e9 } as Record<string, number>;

  constructor(link: Link) {
    link.listen<Poses>("/tf", (m, time) => this.take(m, time, ""));
    link.listen<Poses>("/compare/tf", (m, time) => this.take(m, time, prime));
  }

  clear(): void {
    for (const v of this.vehicles.values()) this.onGo(v);
    this.vehicles.clear();
    this.order.clear();
    this.tracked = { "": -1e9, [prime]: -1e9 };
  }

  private take({ names, numbers: n }: Poses, time: number, mark: string): void {
    const at = performance.now(),
      before = this.vehicles.size,
      back = time < this.tracked[mark] - 1e-9,
      tracked = back || time - this.tracked[mark] >= 0.1;
    for (let i = 0, k = 0; i < names.length; i++, k += 7) {
      const name = names[i] + mark,
        vehicle = this.vehicles.get(name);
      const sample: Sample = { time, at, p: [n[k], n[k + 1], n[k + 2]], q: [n[k + 3], n[k + 4], n[k + 5], n[k + 6]] };
      if (vehicle) vehicle.take(sample, tracked);
      else {
        const made = new Vehicle(name, this.colourFor(name), sample);
        made.take(sample, true);
        this.vehicles.set(name, made);
        this.onCome(made);
      }
    }
    if (this.vehicles.size > before && this.order.size) this.arrange([...this.order.keys()]);
    if (!tracked) return;
    this.tracked[mark] = time;
    if (!mark || back) this.onTrack(back);
  }

  /** Sorts and colours the vehicles in the order of the scene. */
  arrange(names: string[]): void {
    this.order = new Map(names.map((name, i) => [name, i]));
    const sorted = [...this.vehicles.values()].sort(
      (a, b) => (this.order.get(a.name) ?? 1e9) - (this.order.get(b.name) ?? 1e9),
    );
    this.vehicles = new Map(sorted.map((v) => [v.name, v]));
    for (const v of sorted) v.colour = this.colourFor(v.name);
  }

  private colourFor(name: string): string {
    if (isSecond(name)) return pale(this.colourFor(twinOf(name)));
    const own = named[/^[a-z]*/.exec(name)![0]];
    if (own) return own;
    return colourOf(this.order.get(name) ?? Math.max(this.order.size, this.vehicles.size));
  }

  /** Removes the vehicles that the last messages no longer name. */
  prune(names: Set<string>): void {
    for (const [name, vehicle] of this.vehicles)
      if (!names.has(name)) {
        this.vehicles.delete(name);
        this.onGo(vehicle);
      }
  }
}
