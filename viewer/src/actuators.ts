/** The effect of each actuator, from /scene. */
import type { Scene, SceneActuator } from "./messages";

export type Axis = "turn" | "dive" | "ahead";

export class Actuators {
  private ofType = new Map<number, SceneActuator[]>();
  private types = new Map<string, number>(); // by vehicle

  takeScene(m: Scene): void {
    this.ofType.clear();
    for (const a of m.actuators ?? []) this.ofType.set(a.type, [...(this.ofType.get(a.type) ?? []), a]);
    this.types = new Map((m.vehicles ?? []).map((v) => [v.name, v.type]));
  }

  of(vehicle: string | null): SceneActuator[] {
    return this.ofType.get(this.types.get(vehicle ?? "") ?? -1) ?? [];
  }
}

/** The component of an actuator's force or moment along an axis, and its magnitude. Positive: to starboard, down or nose down,
 * ahead. */
function effectOn(axis: Axis, { kind, effect }: SceneActuator): { part: number; whole: number } {
  const { force: f, torque: t } = effect;
  if (axis === "ahead") return { part: f.x, whole: Math.hypot(f.x, f.y, f.z) };
  if (axis === "dive" && kind !== "fin" && kind !== "moving-mass")
    return { part: -f.z, whole: Math.hypot(f.x, f.y, f.z) };
  return { part: axis === "turn" ? -t.z : t.y, whole: Math.hypot(t.x, t.y, t.z) };
}

const orders = ["order"],
  fins = ["fin"],
  thrusters = ["propeller", "tunnel-thruster", "thruster"],
  masses = ["ballast", "moving-mass"];
/** The kinds of actuators that a key moves: the first group with an actuator that acts on its axis. */
const groups: Record<Axis, string[][]> = {
  turn: [orders, fins, thrusters],
  dive: [orders, fins, thrusters, masses],
  ahead: [orders, thrusters],
};
const least = 0.3; // minimum component on the axis, relative to the magnitude and to the strongest actuator of its kind

/** The actuators that move a vehicle along an axis, each with the sign of its order. */
export function movers(axis: Axis, all: SceneActuator[]): [SceneActuator, number][] {
  const part = (a: SceneActuator) => Math.abs(effectOn(axis, a).part);
  const acts = (a: SceneActuator) =>
    part(a) > least * effectOn(axis, a).whole &&
    part(a) > least * Math.max(...all.filter((b) => b.kind === a.kind).map(part));
  const found = groups[axis]
    .map((kinds) => all.filter((a) => kinds.includes(a.kind) && acts(a)))
    .find((list) => list.length);
  return (found ?? []).map((a) => [a, Math.sign(effectOn(axis, a).part)]);
}

/** The change of an order per key press: a tenth of its maximum, or 0.5 m of depth. */
export function stepOf(a: SceneActuator): number {
  return a.kind === "order" && a.unit === "m" ? 0.5 : 0.1 * a.high;
}
