/** Telemetry of real vehicles over the model (docs/viewer.md): measured values, measured pose, and the difference to the model. */
import { make } from "./dom";
import { eulerOf, Vehicle, type Fleet, type Sample } from "./fleet";
import type { Link } from "./link";
import type { Values } from "./messages";
import { degrees, fixed, Series, show } from "./series";

export const measuredColour = "#ffa04d";
/** s of simulation without telemetry after which the measured vehicle is hidden */
const stale = 3;

type Numbers = Map<string, number>;
const numbersIn = (m: Values): Numbers => new Map(m.names.map((name, i) => [name, m.values[i]]));
const known = (n: Numbers, name: string) => Number.isFinite(n.get(name) ?? NaN);

/** The quaternion (to east, north, up) for roll, pitch (nose up) and heading, rad. */
export function attitudeOf(roll: number, pitch: number, heading: number): [number, number, number, number] {
  const half = [roll, -pitch, Math.PI / 2 - heading].map((a) => a / 2),
    [a, b, c] = half.map(Math.sin),
    [x, y, z] = half.map(Math.cos);
  return [a * y * z - x * b * c, x * b * z + a * y * c, x * y * c - a * b * z, x * y * z + a * b * c];
}

/** The telemetry of one vehicle. */
export class Overlay {
  readonly lines = {
    depth: new Series(),
    yaw: new Series(),
    "forward speed": new Series(),
    pitch: new Series(),
    roll: new Series(),
  } as Record<string, Series>;
  readonly differences = { distance: new Series(), depth: new Series(), heading: new Series(), speed: new Series() };
  measured: Numbers = new Map();
  /** model minus measured */
  difference: Numbers = new Map();
  time = -Infinity; // s of simulation, time of the last reading
  /** pose of the measured vehicle; null: nothing was measured yet */
  ghost: Vehicle | null = null;
  /** end points of the segments of its track, x y z each; a gap in the telemetry is a gap in the track */
  readonly track: number[] = [];
  trackVersion = 0;
  private trackEnd: [number, number, number] | null = null;
  private waits = false; // telemetry came before the vehicle of the model
  private step = 0; // s between the last two readings
  stop: () => void = () => {};

  constructor(
    readonly vehicle: string,
    private fleet: Fleet,
  ) {}

  takeMeasured(m: Values, time: number): void {
    const n = numbersIn(m),
      before = this.time;
    if (time < before - 1e-9) this.forget();
    if (time === before) return;
    this.measured = n;
    this.time = time;
    const line = (title: string, name: string, factor = 1) =>
      this.lines[title].add(time, (n.get(name) ?? NaN) * factor);
    line("depth", "depth");
    line("yaw", "heading", degrees);
    line("pitch", "pitch", degrees);
    line("roll", "roll", degrees);
    line("forward speed", known(n, "surge") ? "surge" : "water-surge");
    this.place(n, time, before);
  }

  takeDifference(m: Values, time: number): void {
    const d = (this.difference = numbersIn(m)),
      of = (name: string) => d.get(name) ?? NaN;
    this.differences.distance.add(time, of("distance"));
    this.differences.depth.add(time, of("depth"));
    this.differences.heading.add(time, of("heading") * degrees);
    this.differences.speed.add(time, known(d, "surge") ? of("surge") : of("water-surge"));
  }

  /** Uses the model's value for every quantity that is not measured. */
  private place(n: Numbers, time: number, before: number): void {
    const model = this.fleet.vehicles.get(this.vehicle);
    this.waits = !model;
    if (!model) return;
    const angles = eulerOf(model.now.q),
      value = (name: string, other: number) => (known(n, name) ? n.get(name)! : other);
    const sample: Sample = {
      time,
      at: performance.now(),
      p: [value("east", model.now.p[0]), value("north", model.now.p[1]), -value("depth", -model.now.p[2])],
      q: attitudeOf(value("roll", angles[0]), value("pitch", angles[1]), value("heading", angles[2])),
    };
    const gap = time - before,
      broken = !(gap < Math.max(1.5, 3 * this.step));
    if (!this.ghost) this.ghost = new Vehicle(this.vehicle, measuredColour, sample);
    else this.ghost.take(sample, false);
    if (broken) this.ghost.before = sample; // no motion is drawn across a gap
    this.addTrack(sample.p, broken);
    this.step = gap > 0 && Number.isFinite(gap) ? gap : this.step;
  }

  private addTrack(to: [number, number, number], broken: boolean): void {
    const from = this.trackEnd;
    if (!broken && from && Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) < 0.02) return;
    if (!broken && from) this.track.push(...from, ...to);
    this.trackEnd = to;
    if (this.track.length > 6 * 6000) this.track.splice(0, 6 * 1000);
    this.trackVersion++;
  }

  /** The time jumped back: a reset, or a seek in a recording. */
  private forget(): void {
    this.ghost = null;
    this.track.length = 0;
    this.trackVersion++;
    this.trackEnd = null;
    this.difference.clear();
  }

  age(now: number): number {
    return now - this.time;
  }

  fresh(now: number): boolean {
    if (this.waits) this.place(this.measured, this.time, -Infinity);
    return !!this.ghost && this.age(now) < Math.max(stale, 3 * this.step);
  }

  /** The quantities of its pose that are taken from the model. */
  get borrowed(): string[] {
    return ["north", "east", "depth", "heading"].filter((name) => !known(this.measured, name));
  }
}

export class Overlays {
  readonly all = new Map<string, Overlay>();

  constructor(
    private link: Link,
    private fleet: Fleet,
  ) {}

  /** Channels were added or removed. */
  follow(): void {
    const names = new Set<string>();
    for (const topic of this.link.byTopic.keys()) {
      const name = /^\/overlay\/(.+)\/measured$/.exec(topic)?.[1];
      if (name) names.add(name);
    }
    for (const [name, o] of this.all)
      if (!names.has(name)) {
        o.stop();
        this.all.delete(name);
      }
    for (const name of names) if (!this.all.has(name)) this.add(name);
  }

  private add(name: string): void {
    const o = new Overlay(name, this.fleet),
      home = `/overlay/${name}`;
    this.all.set(name, o);
    const a = this.link.listen<Values>(`${home}/measured`, (m, time) => o.takeMeasured(m, time)),
      b = this.link.listen<Values>(`${home}/difference`, (m, time) => o.takeDifference(m, time));
    o.stop = () => (a(), b());
  }

  clear(): void {
    for (const o of this.all.values()) o.stop();
    this.all.clear();
  }

  of(vehicle: string | null): Overlay | undefined {
    return this.all.get(vehicle ?? "");
  }

  /** The numbers of the legend in the sea: for the selected vehicle, or the first one with telemetry. */
  write(box: HTMLElement, selected: string | null, colour: string, now: number): void {
    const o = this.of(selected) ?? this.all.values().next().value;
    box.hidden = !o;
    if (!o) return;
    if (!box.childElementCount) this.build(box);
    const put = (name: string, text: string) => {
      const cell = box.querySelector<HTMLElement>(`[data-value="${name}"]`)!;
      if (cell.textContent !== text) cell.textContent = text;
    };
    box.style.setProperty("--model", colour);
    const fresh = o.fresh(now),
      number = (name: string) => (fresh ? (o.difference.get(name) ?? NaN) : NaN);
    put("vehicle", o.vehicle);
    put("distance", show(number("distance"), "m"));
    put("depth", show(number("depth"), "m"));
    put("heading", Number.isFinite(number("heading")) ? `${fixed(number("heading") * degrees, 1)}°` : "–");
    const missing = o.borrowed.filter((name) => name !== "heading");
    put(
      "note",
      !Number.isFinite(o.time)
        ? "no telemetry yet"
        : !fresh
          ? `no telemetry since ${o.time.toFixed(1)} s`
          : missing.length
            ? `${missing.join(", ")}: from the model`
            : "",
    );
    box.classList.toggle("stale", !fresh);
  }

  private build(box: HTMLElement): void {
    const cell = (name: string) => make("b", { "data-value": name }),
      row = (title: string, name: string) => make("div", {}, make("span", {}, title), cell(name));
    box.append(
      make(
        "div",
        { class: "keys" },
        make("b", { "data-value": "vehicle" }),
        make("i", { class: "model" }),
        make("span", {}, "model"),
        make("i", { class: "measured" }),
        make("span", {}, "measured"),
      ),
      make("div", { class: "quiet" }, "model minus measured"),
      row("distance", "distance"),
      row("depth", "depth"),
      row("heading", "heading"),
      make("div", { class: "note", "data-value": "note", role: "status" }),
    );
  }
}
