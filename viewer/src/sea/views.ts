/** The cameras of the sea: where they are, and how they follow what they show. The axes of the scene are east, up, south. */
import * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Fleet, Vehicle } from "../fleet";
import type { SceneMount } from "../messages";

export type CameraMode = "orbit" | "follow" | "map" | "fly" | "eyes";

/** The first view that a scenario asks for; places in m: north, east, down, or with "follow" forward, starboard, down. */
export interface FirstView {
  camera: "follow" | "orbit" | "map" | "fly" | "onboard";
  follow?: string;
  from?: [number, number, number];
  to?: [number, number, number];
}

/** What a view has to know of the sea. */
export interface Stage {
  camera: THREE.PerspectiveCamera;
  controls: OrbitControls;
  fleet: Fleet;
  mounts: SceneMount[];
  /** m: half length of a vehicle */
  sizeOf(vehicle: string): number;
  /** further points to be framed: measured vehicles, waypoints, obstacles, pools */
  points(): Iterable<THREE.Vector3>;
}

export const toScene = (p: ArrayLike<number>): THREE.Vector3 => new THREE.Vector3(p[0], p[2], -p[1]);
const fromNed = ([north, east, down]: [number, number, number]) => new THREE.Vector3(east, -down, -north);
const up = new THREE.Vector3(0, 1, 0);
const lostAfter = 2; // s without any vehicle in view until all are framed again

export class Views {
  mode: CameraMode = "follow";
  selected: string | null = null;
  private framed = false;
  private keys = new Set<string>();
  private lastTarget = new THREE.Vector3();
  private course = 0; // rad: heading of the followed vehicle, smoothed
  private aside = 0; // s since a vehicle was last in view
  private held = false; // the user moves the camera

  constructor(private stage: Stage) {
    addEventListener("keydown", (e) => this.keys.add(e.code));
    addEventListener("keyup", (e) => this.keys.delete(e.code));
    addEventListener("blur", () => this.keys.clear());
    stage.controls.addEventListener("start", () => (this.held = true));
    stage.controls.addEventListener("end", () => (this.held = false));
  }

  reset(): void {
    this.framed = false;
  }
  get ready(): boolean {
    return this.framed;
  }

  private vehicle(): Vehicle | undefined {
    return this.stage.fleet.vehicles.get(this.selected ?? "");
  }

  /** Everything that is there. */
  frame(): void {
    const { camera, controls, fleet } = this.stage,
      box = new THREE.Box3(),
      least = new THREE.Vector3();
    for (const v of fleet.vehicles.values()) {
      const half = 1.2 * this.stage.sizeOf(v.name);
      least.set(half, half, half);
      box.expandByPoint(toScene(v.p).add(least)).expandByPoint(toScene(v.p).sub(least));
    }
    if (box.isEmpty()) return;
    for (const p of this.stage.points()) box.expandByPoint(p);
    const centre = box.getCenter(new THREE.Vector3()),
      radius = Math.max(1, box.getSize(new THREE.Vector3()).length() / 2),
      distance = radius / Math.tan((camera.fov * Math.PI) / 360) / Math.min(1, camera.aspect);
    controls.target.copy(centre);
    const way = this.mode === "map" ? new THREE.Vector3(0, 1, 0.0001) : new THREE.Vector3(0.45, 0.42, 0.79);
    camera.position.copy(centre).addScaledVector(way.normalize(), distance);
    controls.update();
    this.framed = true;
    this.aside = 0;
  }

  /** How much farther away a camera of an upright picture has to be, which is narrower than the one that a view was made for. */
  private get farther(): number {
    return 1 / Math.min(1, Math.max(0.55, this.stage.camera.aspect));
  }

  /** Astern of, beside and above a vehicle, so near that it fills a part of the picture; `from`: forward, starboard, down (m). */
  private approach(v: Vehicle, from?: [number, number, number]): void {
    const size = this.stage.sizeOf(v.name),
      [ahead, beside, down] = (from ?? [-2.3 * size, 2.2 * size, -1.35 * size]).map((d) => d * this.farther),
      p = toScene(v.p),
      [s, c] = [Math.sin(v.heading), Math.cos(v.heading)];
    this.stage.camera.position.set(p.x + ahead * s + beside * c, p.y - down, p.z - ahead * c + beside * s);
    this.stage.controls.target.copy(p);
    this.lastTarget.copy(p);
    this.course = v.heading;
    this.framed = true;
  }

  /** The view that a scenario asks for. */
  begin(view: FirstView): void {
    const { camera, controls } = this.stage,
      v = this.vehicle();
    this.setMode(view.camera === "onboard" ? "eyes" : view.camera);
    if (this.mode === "follow" && v && view.from) return this.approach(v, view.from);
    if (this.mode === "follow" || this.mode === "eyes") return;
    this.frame();
    if (view.to) controls.target.copy(fromNed(view.to));
    if (view.from) camera.position.copy(controls.target).lerp(fromNed(view.from), view.to ? this.farther : 1);
    if (this.mode === "fly") camera.lookAt(controls.target);
    controls.update();
  }

  setMode(mode: CameraMode): void {
    const before = this.mode,
      { camera, controls } = this.stage,
      v = this.vehicle();
    this.mode = mode;
    controls.enabled = mode !== "eyes" && mode !== "fly";
    controls.maxPolarAngle = mode === "map" ? 0.001 : Math.PI;
    controls.enableRotate = mode !== "map";
    if (mode === "follow" && v) {
      // another vehicle of another size is seen from as near
      const far = camera.position.distanceTo(controls.target) / this.stage.sizeOf(v.name);
      if (before !== mode || !this.framed || far < 2 || far > 12) this.approach(v);
      else this.moveTo(toScene(v.p));
    }
    if (v && mode === "eyes") this.framed = true;
    if (mode === "map" && before !== mode) this.frame();
    if (mode === "orbit" && (before === "map" || !this.framed)) this.frame();
  }

  private moveTo(p: THREE.Vector3): void {
    this.stage.camera.position.add(p.clone().sub(this.stage.controls.target));
    this.stage.controls.target.copy(p);
    this.lastTarget.copy(p);
  }

  move(dt: number): void {
    const { camera, controls } = this.stage,
      v = this.vehicle();
    if (this.mode === "follow" && v) this.follow(v, dt);
    else if (this.mode === "eyes" && v) {
      this.lookFrom(v, new THREE.Vector3(1.05 * this.stage.sizeOf(v.name), 0, 0), new THREE.Quaternion());
      return;
    } else if (this.mode === "fly") this.fly(dt);
    else this.stay(dt);
    camera.up.copy(up);
    if (this.mode !== "fly") controls.update();
  }

  private follow(v: Vehicle, dt: number): void {
    const { camera, controls } = this.stage,
      p = toScene(v.p);
    if (!this.framed || p.distanceTo(this.lastTarget) > 100) return this.approach(v);
    camera.position.add(p.clone().sub(this.lastTarget));
    controls.target.copy(p);
    this.lastTarget.copy(p);
    if (this.held) return;
    const off = Math.atan2(Math.sin(v.heading - this.course), Math.cos(v.heading - this.course)),
      turn = off * (1 - Math.exp(-dt / 2.5)); // slowly: a fish that beats its tail does not shake the picture
    this.course += turn;
    camera.position.sub(p).applyAxisAngle(up, -turn).add(p);
  }

  /** A camera at rest frames everything again once no vehicle has been in view for a while. */
  private stay(dt: number): void {
    const { camera, fleet } = this.stage;
    let seen = fleet.vehicles.size === 0;
    for (const v of fleet.vehicles.values()) seen ||= this.sees(toScene(v.p));
    camera.updateMatrixWorld();
    this.aside = seen || this.held ? 0 : this.aside + dt;
    if (this.aside > lostAfter) this.frame();
  }

  sees(p: THREE.Vector3): boolean {
    const q = p.project(this.stage.camera);
    return Math.abs(q.x) < 1 && Math.abs(q.y) < 1 && q.z < 1;
  }

  /** Places the camera at a point of a vehicle (forward, port, up), looking along the x axis of an attitude. */
  lookFrom(v: Vehicle, place: THREE.Vector3, attitude: THREE.Quaternion): void {
    const { camera } = this.stage,
      body = new THREE.Quaternion(v.q[0], v.q[1], v.q[2], v.q[3]),
      turn = (a: THREE.Vector3) => new THREE.Vector3(a.x, a.z, -a.y),
      q = body.clone().multiply(attitude),
      ahead = turn(new THREE.Vector3(1, 0, 0).applyQuaternion(q));
    camera.position.copy(toScene(v.p)).add(turn(place.clone().applyQuaternion(body)));
    camera.up.copy(turn(new THREE.Vector3(0, 0, 1).applyQuaternion(q)));
    camera.lookAt(camera.position.clone().add(ahead));
  }

  /** The two cameras of the selected vehicle, port first, if it has two and the onboard view is on. */
  eyes(): SceneMount[] {
    const two =
      this.mode === "eyes" ? this.stage.mounts.filter((m) => m.vehicle === this.selected && m.kind === "camera") : [];
    return two.length === 2 ? two.sort((a, b) => b.pose.position.y - a.pose.position.y) : [];
  }

  private fly(dt: number): void {
    const { camera, controls } = this.stage,
      step = (this.keys.has("ShiftLeft") ? 40 : 8) * dt,
      turn = 1.2 * dt,
      ahead = camera.getWorldDirection(new THREE.Vector3()),
      side = ahead.clone().cross(camera.up).normalize();
    if (this.keys.has("KeyW")) camera.position.addScaledVector(ahead, step);
    if (this.keys.has("KeyS")) camera.position.addScaledVector(ahead, -step);
    if (this.keys.has("KeyA")) camera.position.addScaledVector(side, -step);
    if (this.keys.has("KeyD")) camera.position.addScaledVector(side, step);
    if (this.keys.has("KeyE")) camera.position.y += step;
    if (this.keys.has("KeyQ")) camera.position.y -= step;
    if (this.keys.has("ArrowLeft")) camera.rotateOnWorldAxis(up, turn);
    if (this.keys.has("ArrowRight")) camera.rotateOnWorldAxis(up, -turn);
    if (this.keys.has("ArrowUp")) camera.rotateX(turn);
    if (this.keys.has("ArrowDown")) camera.rotateX(-turn);
    controls.target.copy(camera.position).addScaledVector(camera.getWorldDirection(new THREE.Vector3()), 10);
  }

  /** rad from north, clockwise: heading of the camera */
  get bearing(): number {
    const d =
      this.mode === "map" ? new THREE.Vector3(0, 0, -1) : this.stage.camera.getWorldDirection(new THREE.Vector3());
    return Math.atan2(d.x, -d.z);
  }
}
