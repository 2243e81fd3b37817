/** One vehicle in the sea: its pose, moving parts and track. */
import * as THREE from "three";
import type { Vehicle } from "../fleet";
import { SceneLook, SceneShape } from "../messages";
import { liveryOf } from "./hulls";
import type { Fleetmates } from "./mates";
import { jointsMost } from "./paints";

const one = new THREE.Vector3(1, 1, 1),
  place = new THREE.Vector3(),
  attitude = new THREE.Quaternion();

/** The vehicle of a frame, "phoenix/base_link"; older logs have its name alone. */
export const vehicleOf = (frame: string) => frame.replace(/\/base_link$/, "");

export class Craft {
  /** parent of its sonar fans */
  readonly group = new THREE.Group();
  readonly frame = new THREE.Matrix4();
  readonly bend = new Float32Array(jointsMost); // rad
  /** its meshes and level of detail: 0 all moving parts, 1 coarse, 2 a speck */
  mates: Fleetmates | null = null;
  level = 0;
  /** size on the screen, pixels */
  across = 0;
  private values = new Map<string, number>();
  private angles = new Map<string, number>();

  constructor(readonly vehicle: Vehicle) {}

  /** m: largest half length */
  get size(): number {
    return this.mates?.reach || 0.25;
  }
  value(actuator: string): number {
    return this.values.get(actuator) ?? 0;
  }
  /** relative to the maximum order, -1 … 1 */
  share(look: SceneLook): number {
    const x = this.value(look.actuator) / (look.full || 1),
      square = look.unit === "rad/s" || look.unit === "V";
    return Math.max(-1, Math.min(1, square ? x * Math.abs(x) : x));
  }
  /** rad: angle of a screw */
  angle(look: SceneLook): number {
    return this.angles.get(look.actuator) ?? 0;
  }

  /** /NAME/joints bends the spine of a fish. Fins follow the actuators. */
  takeJoints(names: string[], angles: ArrayLike<number>): void {
    names.forEach((name, i) => {
      const m = /^joint(\d)$/.exec(name);
      if (m && Number(m[1]) <= jointsMost) this.bend[Number(m[1]) - 1] = angles[i];
    });
  }

  takeActuators(names: string[], values: ArrayLike<number>): void {
    names.forEach((name, i) => this.values.set(name, values[i]));
  }

  /** Screws turn at their rate (rad/s; if unknown, from the root of their order), slowed so that the eye can follow. */
  update(dt: number): void {
    const { p, q } = this.vehicle;
    this.frame.compose(place.set(p[0], p[1], p[2]), attitude.set(q[0], q[1], q[2], q[3]), one);
    this.group.position.copy(place);
    this.group.quaternion.copy(attitude);
    if (this.level > 0) return;
    for (const look of this.mates?.screws ?? []) {
      const v = this.value(look.actuator),
        rate = look.unit === "rad/s" ? v : 150 * Math.sign(v) * Math.sqrt(Math.min(1, Math.abs(v) / (look.full || 1)));
      this.angles.set(
        look.actuator,
        this.angle(look) + Math.sign(rate) * Math.min(Math.abs(rate), 8 + 0.08 * Math.abs(rate)) * dt,
      );
    }
  }

  dispose(): void {
    this.mates?.remove(this);
    this.group.removeFromParent();
  }
}

const lookOfShape: Record<number, number> = {
  [SceneShape.BOX]: SceneLook.BOX,
  [SceneShape.SPHERE]: SceneLook.SPHERE,
  [SceneShape.CYLINDER]: SceneLook.CYLINDER,
  [SceneShape.CAPSULE]: SceneLook.CAPSULE,
  [SceneShape.PLANE]: SceneLook.BOX,
  [SceneShape.ELLIPSOID]: SceneLook.ELLIPSOID,
  [SceneShape.MESH]: SceneLook.MESH,
  [SceneShape.LINE]: SceneLook.BOX,
  [SceneShape.CONE]: SceneLook.CONE,
};

/** Looks for a vehicle of an older log without looks: its shapes, in colours chosen from its name. */
export function looksOfShapes(shapes: SceneShape[]): SceneLook[] {
  const axes = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), -Math.PI / 2);
  return shapes
    .filter((s) => Math.max(...s.size) > 0)
    .map((s) => {
      const c = new THREE.Color(liveryOf(s.name).hull),
        [x, y, z] = s.size,
        o = s.pose.orientation;
      const long = s.kind === SceneShape.CYLINDER || s.kind === SceneShape.CAPSULE || s.kind === SceneShape.CONE;
      const q = new THREE.Quaternion(o.x, o.y, o.z, o.w || (o.x || o.y || o.z ? 0 : 1));
      if (long) q.multiply(axes); // these lie along z
      const size =
        s.kind === SceneShape.SPHERE
          ? [2 * x, 2 * x, 2 * x]
          : s.kind === SceneShape.ELLIPSOID
            ? [2 * x, 2 * y, 2 * z]
            : s.kind === SceneShape.CAPSULE
              ? [y + 2 * x, 2 * x, 2 * x]
              : long
                ? [y, 2 * x, 2 * x]
                : s.kind === SceneShape.MESH
                  ? [1]
                  : [x, y, z];
      return {
        type: 0,
        name: s.name,
        kind: lookOfShape[s.kind],
        pose: { position: s.pose.position, orientation: { x: q.x, y: q.y, z: q.z, w: q.w } },
        size: new Float64Array(size),
        mesh: s.mesh,
        colour: { ...c, r: c.r, g: c.g, b: c.b, a: 1 },
        glows: false,
        actuator: "",
        unit: "",
        turn: 0,
        full: 0,
      };
    });
}
