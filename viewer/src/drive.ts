/** Drives a vehicle with keys or a gamepad. Vehicles with an autopilot receive heading, depth and speed setpoints; others receive
 * actuator commands. */
import { movers, stepOf, type Actuators, type Axis } from "./actuators";
import { by } from "./dom";
import type { Fleet } from "./fleet";
import type { Link } from "./link";
import type { ActuatorState, SceneActuator } from "./messages";
import type { Setpoints } from "./protocol";
import { degrees, humanUnit, show } from "./series";

export class Drive {
  on = false;
  onFail: (error: Error) => void = () => {};
  vehicle: () => string | null = () => null;
  private of: string | null = null;
  private held: { heading?: number; depth?: number; speed?: number } = {};
  private orders = new Map<string, number>(); // by actuator
  private stop: () => void = () => {};
  private padAt = 0;

  private setpoints = new Map<string, Set<string>>(); // names, by vehicle

  constructor(
    private link: Link,
    private fleet: Fleet,
    private actuators: Actuators,
  ) {
    link.listen("/setpoints", (m: Setpoints) => {
      for (const [name, of] of Object.entries(m.vehicles ?? {}))
        this.setpoints.set(name, new Set(of.setpoints.map((s) => s.name)));
    });
  }

  toggle(): void {
    this.on = !this.on && !!this.vehicle();
    this.refresh();
  }

  /** The name that the vehicle's controller uses for this setpoint, if it has one. */
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
    this.orders.clear();
    this.stop();
    this.stop = this.link.listen(`${this.link.home(name)}/actuators`, (m: ActuatorState) => {
      if (!this.orders.size) m.names.forEach((n, i) => this.orders.set(n, m.orders[i]));
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

  /** The actuators that move the vehicle along an axis, each with its sign; empty until their current orders are known. */
  private movers(axis: Axis): [SceneActuator, number][] {
    return this.orders.size ? movers(axis, this.actuators.of(this.of)) : [];
  }

  private order(axis: Axis, change: number): void {
    const list = this.movers(axis);
    if (!list.length && this.orders.size)
      this.onFail(
        new Error(`${this.of} cannot ${axis === "ahead" ? "go ahead" : axis}: no actuator acts in this direction`),
      );
    for (const [a, sign] of list) {
      const next = (this.orders.get(a.name) ?? 0) + stepOf(a) * sign * change,
        value = Math.max(a.low, Math.min(a.high, next));
      this.orders.set(a.name, value);
      this.link.call("/order", { vehicle: this.of, actuator: a.name, value }).catch(this.onFail);
    }
  }

  /** Changes the motion along an axis: 1 is one key press to starboard, down, or faster. */
  push(axis: Axis, amount: number): void {
    if (!this.prepare()) return;
    if (axis === "turn")
      this.holds("heading") ? this.hold("heading", (amount * 5) / degrees) : this.order(axis, amount);
    else if (axis === "dive") this.holds("depth") ? this.hold("depth", 0.5 * amount) : this.order(axis, amount);
    else this.holds("speed") ? this.hold("speed", 0.1 * amount) : this.order(axis, amount);
    this.refresh();
  }

  /** Returns whether the key was used for driving: with Alt always, without it only while driving is on. */
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

  /** Reads a gamepad a few times per second: left stick turns and dives, triggers or right stick change the speed. */
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

  /** Shows the driven vehicle and its setpoints or orders. */
  refresh(): void {
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
      ...this.ordered(),
    ];
    box.textContent = `driving ${this.of}: ${words.filter(Boolean).join(" · ") || "arrows turn and dive, + and − change the speed, Esc stops driving"}`;
  }

  /** The orders that keys change, one per axis. */
  private ordered(): string[] {
    const list = (["turn", "ahead", "dive"] as Axis[])
      .filter((axis) => !this.holds({ turn: "heading", ahead: "speed", dive: "depth" }[axis]))
      .flatMap((axis) => this.movers(axis).slice(0, 1));
    return [...new Set(list.map(([a]) => a))]
      .filter((a) => this.orders.get(a.name))
      .map((a) => `${a.name} ${show(...humanUnit(this.orders.get(a.name)!, a.unit, true))}`);
  }
}
