/** Two recordings in one sea. Vehicle names of the second one end with a prime, and its topics begin with /compare. */
import type { Scene } from "./messages";
import { Series } from "./series";

export const prime = "′";
export const isSecond = (vehicle: string) => vehicle.endsWith(prime);
export const twinOf = (vehicle: string) => (isSecond(vehicle) ? vehicle.slice(0, -1) : vehicle + prime);

/** A paler shade, for the second recording. */
export function pale(colour: string): string {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  if (!hex) return colour.replace(/65%\)$/, "82%)");
  return `#${hex
    .slice(1)
    .map((part) =>
      Math.round(0.45 * parseInt(part, 16) + 0.55 * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** The name of a frame ("phoenix/stern-rudder") in the second recording. */
const rename = (frame: string) => (frame === "map" || !frame ? frame : frame.replace(/^[^/]+/, (name) => name + prime));

/** The scene of the first recording with the vehicles of both. */
export function mergeScenes(first: Scene, second: Scene | null): Scene {
  if (!second) return first;
  const offset = first.meshes.length,
    types = 1 + Math.max(-1, ...(first.vehicles ?? []).map((v) => v.type));
  return {
    ...first,
    vehicles: [
      ...(first.vehicles ?? []),
      ...(second.vehicles ?? []).map((v) => ({ ...v, name: v.name + prime, type: v.type + types })),
    ],
    looks: [
      ...(first.looks ?? []),
      ...(second.looks ?? []).map((l) => ({ ...l, type: l.type + types, mesh: l.mesh + offset })),
    ],
    actuators: [...(first.actuators ?? []), ...(second.actuators ?? []).map((a) => ({ ...a, type: a.type + types }))],
    meshes: [...first.meshes, ...second.meshes],
    shapes: [
      ...first.shapes,
      ...second.shapes
        .filter((s) => s.frame !== "map")
        .map((s) => ({ ...s, frame: rename(s.frame), mesh: s.mesh + offset })),
    ],
    joints: [
      ...first.joints,
      ...second.joints.map((j) => ({ ...j, parent: rename(j.parent), child: rename(j.child) })),
    ],
    mounts: [...first.mounts, ...second.mounts.map((m) => ({ ...m, vehicle: m.vehicle + prime }))],
  };
}

/** Where a vehicle is at a time, and how it moves: north, east, down (m), heading (rad), speed (m/s). */
export interface State {
  time: number;
  values: [number, number, number, number, number];
}

/** The difference between two recordings of a vehicle: second minus first at the times of the first; the second is interpolated. */
export class Difference {
  readonly apart = new Series();
  readonly depth = new Series();
  readonly heading = new Series();
  readonly speed = new Series();
  private waiting: State[] = [];
  private before: State | null = null;
  private after: State | null = null;

  takeFirst(state: State): void {
    if (this.waiting.length && state.time < this.waiting[this.waiting.length - 1].time) this.waiting = [];
    this.waiting.push(state);
    if (this.waiting.length > 500) this.waiting.shift();
    this.settle();
  }

  takeSecond(state: State): void {
    this.before = this.after && this.after.time <= state.time ? this.after : null;
    this.after = state;
    this.settle();
  }

  private settle(): void {
    const b = this.after;
    while (b && this.waiting.length && this.waiting[0].time <= b.time + 1e-9) {
      const a = this.waiting.shift()!,
        from = this.before ?? b,
        share = b.time > from.time ? (a.time - from.time) / (b.time - from.time) : 1;
      if (a.time < from.time - 1e-9) continue;
      const d = a.values.map((v, i) => from.values[i] + share * (b.values[i] - from.values[i]) - v);
      this.apart.add(a.time, Math.hypot(d[0], d[1], d[2]));
      this.depth.add(a.time, d[2]);
      this.heading.add(a.time, (Math.atan2(Math.sin(d[3]), Math.cos(d[3])) * 180) / Math.PI);
      this.speed.add(a.time, d[4]);
    }
  }

  clear(): void {
    this.waiting = [];
    this.before = this.after = null;
    for (const s of [this.apart, this.depth, this.heading, this.speed]) s.times.length = s.values.length = 0;
  }
}
