/** A vehicle driven by keys or by a gamepad. One with an autopilot is given a heading, depth and speed to hold; another one orders for
 * its actuators. */
import { by } from "./dom";
import type { Fleet } from "./fleet";
import type { Link } from "./link";
import { degrees, show } from "./series";

interface Actuator {
  name: string;
  unit: string;
  order: number;
}
type Axis = "turn" | "dive" | "ahead";

const most = (unit: string) =>
  unit === "rad"
    ? 0.4
    : unit === "rad/s"
      ? 100
      : unit === "Hz"
        ? 3
        : unit === "V"
          ? 24
          : unit === "N"
            ? 40
            : unit === "m"
              ? 100
              : 1;

/** Which actuators an axis moves, and which way: names and units say it. */
function movers(axis: Axis, list: Actuator[]): [Actuator, number][] {
  const find = (name: RegExp, unit?: RegExp) => list.filter((a) => name.test(a.name) && (!unit || unit.test(a.unit)));
  const push = find(/propeller|screw|frequency|thruster|port|starboard/, /rad\/s|Hz|V|N|^$/).filter(
    (a) => !/vertical|lateral|plane|rudder/.test(a.name),
  );
  if (axis === "ahead") return push.map((a) => [a, 1]);
  if (axis === "dive") {
    const fins = find(/plane|elevator/, /^rad$/),
      depth = find(/^depth$/, /^m$/);
    return (depth.length ? depth : fins.length ? fins : find(/vertical/)).map((a) => [
      a,
      /bow/.test(a.name) && fins.length ? -1 : 1,
    ]);
  }
  const rudders = find(/rudder|deflection/, /^rad$/);
  if (rudders.length) return rudders.map((a) => [a, /bow/.test(a.name) ? -1 : 1]);
  return push.filter((a) => /port|starboard/.test(a.name)).map((a) => [a, /port/.test(a.name) ? 1 : -1]);
}

export class Drive {
  on = false;
  onFail: (error: Error) => void = () => {};
  vehicle: () => string | null = () => null;
  private of: string | null = null;
  private held: { heading?: number; depth?: number; speed?: number } = {};
  private actuators: Actuator[] = [];
  private stop: () => void = () => {};
  private padAt = 0;

  private setpoints = new Map<string, Set<string>>(); // names, by vehicle

  constructor(
    private link: Link,
    private fleet: Fleet,
  ) {
    link.listen("/setpoints", (m) => {
      for (const [name, of] of Object.entries<{ setpoints: { name: string }[] }>(m.vehicles ?? {}))
        this.setpoints.set(name, new Set(of.setpoints.map((s) => s.name)));
    });
  }

  toggle(): void {
    this.on = !this.on && !!this.vehicle();
    this.tell();
  }

  /** The setpoint of a controller for this, under the name that its controller has for it. */
  private holds(what: string): string | undefined {
    const names = this.setpoints.get(this.of!);
    return [what, ...(what === "heading" ? ["bearing"] : [])].find((name) => names?.has(name));
  }

  private prepare(): boolean {
    const name = this.vehicle();
    if (!name || !this.fleet.vehicles.has(name)) return false;
    if (name === this.of) return true;
    this.of = name;
    this.held = {};
    this.actuators = [];
    this.stop();
    this.stop = this.link.listen(`${this.link.home(name)}/actuators`, (m) => {
      if (!this.actuators.length)
        this.actuators = m.names.map((n: string, i: number) => ({ name: n, unit: m.units[i], order: m.orders[i] }));
    });
    return true;
  }

  private hold(what: "heading" | "depth" | "speed", change: number): void {
    const v = this.fleet.vehicles.get(this.of!)!,
      least = what === "heading" ? -Infinity : 0;
    const now = this.held[what] ?? (what === "heading" ? v.heading : what === "depth" ? v.depth : Math.min(v.speed, 2));
    const value = (this.held[what] = Math.max(least, now + change));
    this.link
      .call("/desire", {
        vehicle: this.of,
        what: this.holds(what),
        value: what === "heading" ? Math.atan2(Math.sin(value), Math.cos(value)) : value,
      })
      .catch(this.onFail);
  }

  private order(axis: Axis, change: number): void {
    const list = movers(axis, this.actuators);
    if (!list.length && this.actuators.length)
      this.onFail(new Error(`${this.of} has nothing to ${axis === "ahead" ? "go ahead" : axis} with`));
    for (const [a, sign] of list) {
      const limit = most(a.unit),
        next = a.order + (a.unit === "m" ? 0.5 : 0.1 * limit) * sign * change;
      a.order = Math.max(a.unit === "m" ? 0 : -limit, Math.min(limit, next));
      this.link.call("/order", { vehicle: this.of, actuator: a.name, value: a.order }).catch(this.onFail);
    }
  }

  /** A push along an axis: 1 is one key press to starboard, down, or faster. */
  push(axis: Axis, amount: number): void {
    if (!this.prepare()) return;
    if (axis === "turn")
      this.holds("heading") ? this.hold("heading", (amount * 5) / degrees) : this.order(axis, amount);
    else if (axis === "dive") this.holds("depth") ? this.hold("depth", 0.5 * amount) : this.order(axis, amount);
    else this.holds("speed") ? this.hold("speed", 0.1 * amount) : this.order(axis, amount);
    this.tell();
  }

  /** Whether the key was for driving: with Alt always, alone while driving is on. */
  key(e: KeyboardEvent): boolean {
    const keys: Record<string, [Axis, number]> = {
      ArrowLeft: ["turn", -1],
      ArrowRight: ["turn", 1],
      ArrowUp: ["dive", -1],
      ArrowDown: ["dive", 1],
      "+": ["ahead", 1],
      "=": ["ahead", 1],
      "-": ["ahead", -1],
      PageUp: ["ahead", 1],
      PageDown: ["ahead", -1],
    };
    if (this.on && e.key === "Escape") return (this.toggle(), true);
    if ((!this.on && !e.altKey) || !keys[e.key]) return false;
    this.push(...keys[e.key]);
    return true;
  }

  /** A gamepad: left stick turns and dives, triggers (or the right stick) go slower and faster. A few times a second. */
  pad(now: number): void {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad || now - this.padAt < 150) return;
    this.padAt = now;
    const [x = 0, y = 0, , z = 0] = pad.axes,
      gas = (pad.buttons[7]?.value ?? 0) - (pad.buttons[6]?.value ?? 0) || -z;
    if (Math.abs(x) > 0.2) this.push("turn", x);
    if (Math.abs(y) > 0.2) this.push("dive", y);
    if (Math.abs(gas) > 0.2) this.push("ahead", gas);
  }

  private tell(): void {
    const box = by("driving"),
      { heading, depth, speed } = this.held;
    by("drive").setAttribute("aria-pressed", String(this.on));
    box.hidden = !this.on;
    if (!this.on) return;
    this.prepare();
    const turned = heading === undefined ? undefined : (((heading * degrees) % 360) + 360) % 360;
    const words = [
      turned === undefined ? "" : `heading ${turned.toFixed(0)}°`,
      depth === undefined ? "" : `depth ${show(depth, "m")}`,
      speed === undefined ? "" : `speed ${show(speed, "m/s")}`,
      ...this.orders(),
    ];
    box.textContent = `driving ${this.of}: ${words.filter(Boolean).join(" · ") || "arrows turn and dive, + and − change the speed, Esc ends"}`;
  }

  private orders(): string[] {
    const list = (["turn", "ahead", "dive"] as Axis[])
      .filter((axis) => !this.holds({ turn: "heading", ahead: "speed", dive: "depth" }[axis]))
      .flatMap((axis) => movers(axis, this.actuators).slice(0, 1));
    return [...new Set(list.map(([a]) => a))]
      .filter((a) => a.order !== 0)
      .map((a) => `${a.name} ${show(a.order, a.unit)}`);
  }
}
