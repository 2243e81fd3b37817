/** The 3D view. The root group has east, north and up as its x, y and z. */
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Fleet, Vehicle } from "../fleet";
import type { Overlay } from "../overlay";
import {
  type SceneShape,
  SonarImageData,
  type CurrentField,
  type Odometry,
  type PoseWithCovarianceStamped,
  type ProjectedSonarImage,
  type Scene,
  type SceneJoint,
  type SceneLook,
  type SceneMesh,
  type SceneMount,
  type SceneWave,
} from "../messages";
import { Craft, looksOfShapes, vehicleOf } from "./craft";
import { Ambience, skyOf } from "./ambience";
import { shared } from "./ground";
import { Labels } from "./labels";
import { Fleetmates, signatureOf } from "./mates";
import { Measured } from "./measured";
import { isSoftware, Pace, type Picture } from "./picture";
import { Arrows, Fan, Flashes, Ghost, Hits, Tethers, Wavefronts } from "./marks";
import { Scale } from "./scale";
import { Things } from "./things";
import { Tracks } from "./tracks";
import { toScene, Views, type CameraMode } from "./views";
import { Drift, patchFog, Surface, type Wave } from "./water";

export type { CameraMode, FirstView } from "./views";
export interface Layers {
  tracks: boolean;
  names: boolean;
  sonar: boolean;
  sound: boolean;
  current: boolean;
  surface: boolean;
  wash: boolean;
  estimates: boolean;
  measured: boolean;
}

const fansMost = 4; // vehicles; with more only the selected one has fans

patchFog();

/** The size of a vehicle in a picture of some height, pixels. */
function pixelsAcross(craft: Craft, camera: THREE.PerspectiveCamera, height: number): number {
  const { p } = craft.vehicle,
    c = camera.position,
    far = Math.hypot(p[0] - c.x, p[2] - c.y, p[1] + c.z);
  return (craft.size * height) / Math.tan((camera.fov * Math.PI) / 360) / Math.max(far, 1e-3);
}

export class Sea {
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.05, 6000);
  readonly controls: OrbitControls;
  readonly root = new THREE.Group();
  layers: Layers = {
    tracks: true,
    names: true,
    sonar: true,
    sound: true,
    current: false,
    surface: true,
    wash: true,
    estimates: true,
    measured: true,
  };
  frames = { count: 0, rate: 0, cost: 0, drawn: 0, calls: 0, triangles: 0 };
  /** whether a vehicle has fins that turn */
  finned: (name: string) => boolean = () => false;
  onPick: (name: string | null) => void = () => {};
  /** the arrow to a vehicle out of view was pressed */
  onReturn: () => void = () => {};
  soundSpeed = 1500;
  dark = 1;
  time = 0;

  private scene = new THREE.Scene();
  private ambience: Ambience;
  readonly views: Views;
  private things = new Things();
  private scale: Scale;
  /** s: a moment of the run that is marked in the sea; null: none */
  moment: number | null = null;
  private mark: THREE.Mesh;
  /** points that a view of everything includes: waypoints */
  alsoFrame: () => Iterable<[number, number, number]> = () => [];
  readonly surface = new Surface();
  private drift = new Drift();
  private crafts = new Map<string, Craft>();
  private mates = new Map<string, Fleetmates>(); // by looks
  private matesOfType = new Map<string, Fleetmates>();
  private types = new Map<string, { type: string; model: string }>(); // of vehicles
  private shapes: SceneShape[] = [];
  private joints: SceneJoint[] = [];
  private looks: SceneLook[] = [];
  private meshes: SceneMesh[] = [];
  readonly mounts: SceneMount[] = [];
  private fans = new Map<string, Fan>();
  private ghosts = new Map<string, Ghost>();
  private measured = new Map<string, Measured>();
  /** telemetry of real vehicles, by vehicle */
  overlays: ReadonlyMap<string, Overlay> = new Map();
  readonly hits = new Hits();
  readonly fronts = new Wavefronts();
  readonly flashes = new Flashes();
  private arrows = new Arrows();
  readonly tethers = new Tethers();
  private labels: Labels;
  readonly tracks = new Tracks();
  readonly pace = new Pace();
  readonly software = isSoftware();
  private fansOf = ""; // vehicles that have fans
  private ranked: Craft[] = [];
  private size = new THREE.Vector2(); // pixels of the page
  private sun = new THREE.DirectionalLight(0xffffff, 2.0);
  private sky = new THREE.HemisphereLight(0xcfeaf7, 0x27424f, 1.5);
  private lastFrame = performance.now();
  private rateAt = performance.now();
  private drag: THREE.Vector2 | null = null;
  paused = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    labels: HTMLElement,
    private fleet: Fleet,
    picture: Picture,
  ) {
    this.labels = new Labels(labels);
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias: picture === "full" || !this.software,
      powerPreference: "high-performance",
    });
    this.pace.onStep = () => this.resize();
    this.pace.set(picture);
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.15;
    this.ambience = new Ambience(this.scene);
    shared.sky = skyOf(this.renderer);
    this.root.rotation.x = -Math.PI / 2;
    this.sun.position.set(60, 120, 40);
    this.scene.add(this.root, this.sun, this.sky, this.surface.mesh, this.drift.points, this.things.floor);
    this.root.add(
      this.tracks.lines,
      this.things.group,
      this.hits.points,
      this.fronts.group,
      this.flashes.group,
      this.arrows.group,
      this.tethers.group,
    );
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxDistance = 2500;
    this.controls.listenToKeyEvents(canvas);
    this.camera.position.set(40, 20, 40);
    fleet.onCome = (v) => this.come(v);
    fleet.onGo = (v) => this.go(v);
    fleet.onTrack = (again) => {
      if (again) this.tracks.change();
      this.tracks.add(fleet.vehicles);
    };
    canvas.addEventListener("pointerdown", (e) => (this.drag = new THREE.Vector2(e.clientX, e.clientY)));
    canvas.addEventListener("pointerup", (e) => {
      if (this.drag && this.drag.distanceTo(new THREE.Vector2(e.clientX, e.clientY)) < 5) this.pick(e);
      this.drag = null;
    });
    this.views = new Views({
      camera: this.camera,
      controls: this.controls,
      fleet,
      mounts: this.mounts,
      sizeOf: (name) => this.crafts.get(name)?.size ?? 0.5,
      points: () => this.points(),
    });
    this.scale = new Scale(labels, canvas.parentElement!, fleet, () => this.onReturn());
    this.mark = new THREE.Mesh(
      new THREE.TorusGeometry(1, 0.06, 8, 40),
      new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.9, fog: false }),
    );
    this.mark.visible = false;
    this.scene.add(this.scale.plumb, this.mark);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  private resize(): void {
    const box = this.canvas.parentElement!.getBoundingClientRect();
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * this.pace.step.pixels);
    this.surface.most = this.pace.step.waves;
    if (box.width >= 1 && box.height >= 1) this.renderer.setSize(box.width, box.height, false);
    this.renderer.getSize(this.size); // a hidden canvas (other tabs on a phone) keeps its size: the nose camera draws on it
    this.camera.aspect = this.size.x / this.size.y;
    this.camera.updateProjectionMatrix();
  }

  // --- contents ------------------------------------------------------------------------------------------------------

  clear(): void {
    this.forgetCrafts();
    this.ghosts.forEach((g) => g.group.removeFromParent());
    this.ghosts.clear();
    this.fansOf = "";
    this.hits.clear();
    this.fronts.clear();
    this.views.reset();
  }

  takeScene(m: Scene): void {
    this.shapes = m.shapes;
    this.joints = m.joints;
    this.meshes = m.meshes;
    this.mounts.splice(0, Infinity, ...m.mounts);
    this.things.take(m);
    this.ambience.indoors = this.things.pools.length > 0;
    this.surface.bound(this.things.pools.map((p) => p.box));
    this.takeWaves(m.waves ?? []);
    this.looks = m.looks ?? [];
    this.ambience.turbidity = (m.attenuation ?? 0.045) / 0.045;
    this.types.clear();
    for (const v of m.vehicles ?? []) this.types.set(v.name, { type: String(v.type), model: v.model });
    this.forgetCrafts();
    this.fansOf = "";
    this.tracks.change();
    for (const v of this.fleet.vehicles.values()) this.come(v);
  }

  private forgetCrafts(): void {
    this.forgetMeasured(); // they use the geometries of the crafts
    for (const craft of this.crafts.values()) craft.dispose();
    this.crafts.clear();
    for (const mates of this.mates.values()) mates.dispose();
    this.mates.clear();
    this.matesOfType.clear();
  }

  private takeWaves(list: SceneWave[]): void {
    const waves: Wave[] = list.map((w) => ({
      amplitude: w.amplitude,
      east: w.wave_number.x,
      north: w.wave_number.y,
      frequency: w.frequency,
      phase: w.phase,
    }));
    this.surface.setWaves(
      waves.length
        ? waves
        : [0, 1, 2].map((i) => ({
            amplitude: 0.02,
            east: 0.5 + 0.3 * i,
            north: 0.4 - 0.5 * i,
            frequency: 2.2 + 0.4 * i,
            phase: i,
          })),
    );
  }

  /** The vehicles with the same looks as this one, of any type; in older logs without looks, with the same shapes. */
  private matesOf(v: Vehicle): Fleetmates {
    const known = this.types.get(v.name),
      own = known ? [] : this.shapes.filter((s) => vehicleOf(s.frame) === v.name);
    v.model = known?.model ?? own[0]?.name ?? "";
    const quick = known && this.matesOfType.get(known.type);
    if (quick) return quick;
    const looks = known ? this.looks.filter((l) => String(l.type) === known.type) : looksOfShapes(own);
    let x = 0;
    const joints = this.joints
      .filter((j) => j.parent === v.name || j.parent.startsWith(v.name + "/"))
      .map((j) => (x += j.pose.position.x));
    const key = signatureOf(looks, this.meshes, joints);
    let mates = this.mates.get(key);
    if (!mates) {
      this.mates.set(key, (mates = new Fleetmates(looks, this.meshes, joints)));
      this.root.add(mates.group);
    }
    if (known) this.matesOfType.set(known.type, mates);
    return mates;
  }

  private come(v: Vehicle): void {
    if (this.crafts.has(v.name) || !(this.types.has(v.name) || this.shapes.some((s) => vehicleOf(s.frame) === v.name)))
      return;
    const craft = new Craft(v);
    this.matesOf(v).add(craft);
    this.crafts.set(v.name, craft);
    this.tracks.change();
    this.fansOf = "";
  }

  private go(v: Vehicle): void {
    this.crafts.get(v.name)?.dispose();
    this.crafts.delete(v.name);
    this.tracks.change();
    this.fansOf = "";
  }

  /** The sonar fans: of all vehicles if they are few, otherwise of the selected one. */
  private dressFans(): void {
    const few = this.crafts.size <= fansMost,
      wanted = few ? `all ${this.crafts.size}` : `of ${this.selected}`;
    if (wanted === this.fansOf) return;
    this.fansOf = wanted;
    for (const fan of this.fans.values()) fan.dispose();
    this.fans.clear();
    for (const craft of this.crafts.values()) {
      const v = craft.vehicle;
      craft.group.removeFromParent();
      if (!few && v.name !== this.selected) continue;
      this.root.add(craft.group);
      for (const mount of this.mounts)
        if (mount.vehicle === v.name && mount.range_max > 0 && mount.range_max < 500 && !/camera/.test(mount.kind)) {
          const fan = new Fan(mount, v.colour);
          this.fans.set(`/${v.name}/${mount.name}`, fan);
          craft.group.add(fan.group);
        }
    }
  }

  /** Whether the looks of the vehicles are known. */
  get ready(): boolean {
    return this.crafts.size > 0;
  }

  craft(name: string): Craft | undefined {
    return this.crafts.get(name);
  }

  fan(topic: string): Fan | undefined {
    return this.fans.get(topic);
  }

  /** Draws a sonar image: the strongest echo of each beam at its position. */
  takeSonar(topic: string, m: ProjectedSonarImage): void {
    const [, vehicle, name] = topic.split("/"),
      craft = this.crafts.get(vehicle),
      mount = this.mounts.find((o) => o.vehicle === vehicle && o.name === name);
    const beams = m.beam_directions.length,
      rows = m.ranges.length,
      raw = m.image.data;
    if (!craft || !mount || !beams || raw.length < beams * rows) return;
    const data = m.image.dtype === SonarImageData.DTYPE_FLOAT32 ? new Float32Array(raw.slice().buffer) : raw;
    let most = 0;
    for (let i = 0; i < beams * rows; i++) most = Math.max(most, data[i]);
    if (!(most > 0)) return;
    const p = new THREE.Vector3(),
      q = new THREE.Quaternion(
        mount.pose.orientation.x,
        mount.pose.orientation.y,
        mount.pose.orientation.z,
        mount.pose.orientation.w,
      );
    for (let b = 0; b < beams; b++) {
      let best = 0;
      for (let r = 1; r < rows; r++) if (data[r * beams + b] > data[best * beams + b]) best = r;
      if (data[best * beams + b] < 0.3 * most) continue;
      const d = m.beam_directions[b],
        range = m.ranges[best];
      p.set(d.x, d.y, d.z).normalize().multiplyScalar(range).applyQuaternion(q);
      p.add(new THREE.Vector3(mount.pose.position.x, mount.pose.position.y, mount.pose.position.z)).applyMatrix4(
        craft.frame,
      );
      this.hits.add(p, range / (m.ranges[rows - 1] || 1));
    }
  }

  ghost(name: string, colour: string, message: Odometry | PoseWithCovarianceStamped): void {
    let ghost = this.ghosts.get(name);
    if (!ghost) {
      this.ghosts.set(name, (ghost = new Ghost(colour, this.crafts.get(name)?.size ?? 0.5)));
      this.root.add(ghost.group);
    }
    ghost.take(message);
  }

  /** The measured vehicles: those with telemetry and a known hull. */
  private drawMeasured(now: number): void {
    for (const [name, m] of this.measured)
      if (this.overlays.get(name) !== m.overlay || !this.crafts.has(name)) {
        m.dispose();
        this.measured.delete(name);
      }
    for (const [name, overlay] of this.overlays) {
      const mates = this.crafts.get(name)?.mates;
      let m = this.measured.get(name);
      if (!m && mates) {
        this.measured.set(name, (m = new Measured(overlay, mates.hulls())));
        this.root.add(m.group);
      }
      if (!m) continue;
      m.group.visible = this.layers.measured;
      m.draw(this.time, now, this.layers.tracks);
    }
  }

  private forgetMeasured(): void {
    for (const m of this.measured.values()) m.dispose();
    this.measured.clear();
  }

  /** /current: the water around the vehicles. */
  takeCurrent(m: CurrentField): void {
    this.arrows.take(m);
    this.drift.setFlow(this.arrows.middle.x, this.arrows.middle.y, this.arrows.middle.z);
  }

  // --- cameras -------------------------------------------------------------------------------------------------------

  get mode(): CameraMode {
    return this.views.mode;
  }
  get selected(): string | null {
    return this.views.selected;
  }
  set selected(name: string | null) {
    this.views.selected = name;
  }
  setMode(mode: CameraMode): void {
    this.views.setMode(mode);
  }
  /** All vehicles in view. */
  frame(): void {
    this.views.frame();
  }
  get bearing(): number {
    return this.views.bearing;
  }

  /** What a view of everything includes besides the vehicles. */
  private *points(): Iterable<THREE.Vector3> {
    for (const o of this.overlays.values()) if (o.ghost) yield toScene(o.ghost.p);
    for (const [north, east, depth] of this.alsoFrame()) yield new THREE.Vector3(east, -depth, -north);
    yield* this.things.points();
  }

  /** Draws both pictures side by side. */
  private renderEyes(v: Vehicle, eyes: SceneMount[]): void {
    const { renderer, camera } = this,
      fov = camera.fov,
      half = this.size.x / 2;
    camera.aspect = half / Math.max(1, this.size.y);
    renderer.setScissorTest(true);
    eyes.forEach((eye, k) => {
      const { position: p, orientation: q } = eye.pose;
      camera.fov = (2 * Math.atan(Math.tan(eye.fov_horizontal / 2) / camera.aspect) * 180) / Math.PI;
      camera.updateProjectionMatrix();
      this.views.lookFrom(v, new THREE.Vector3(p.x + 0.01, p.y, p.z), new THREE.Quaternion(q.x, q.y, q.z, q.w));
      renderer.setViewport(k * half, 0, half, this.size.y);
      renderer.setScissor(k * half, 0, half - (k ? 0 : 2), this.size.y);
      renderer.render(this.scene, camera);
    });
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, this.size.x, this.size.y);
    camera.fov = fov;
    camera.aspect = this.size.x / Math.max(1, this.size.y);
    camera.updateProjectionMatrix();
  }

  // --- picking -------------------------------------------------------------------------------------------------------

  /** The vehicle nearest to the pointer, within 40 pixels. */
  private pick(e: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    let best: string | null = null,
      least = 40;
    for (const v of this.fleet.vehicles.values()) {
      const p = toScene(v.p).project(this.camera);
      if (p.z > 1) continue;
      const inside = 0.25 * Math.min(400, this.crafts.get(v.name)?.across ?? 0); // a large one is also hit on its hull
      const d =
        -inside +
        Math.hypot(
          box.left + ((p.x + 1) / 2) * box.width - e.clientX,
          box.top + ((1 - p.y) / 2) * box.height - e.clientY,
        );
      if (d < least) [best, least] = [v.name, d];
    }
    this.onPick(best);
  }

  /** The point of the horizontal plane at a depth (m) under the pointer: north, east. */
  pointAt(x: number, y: number, depth: number): [number, number] | null {
    const box = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(
      new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2),
      this.camera,
    );
    const hit = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), depth), new THREE.Vector3());
    return hit ? [-hit.z, hit.x] : null;
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  private drawLabels(): void {
    const hidden = this.mode === "eyes" ? this.selected : null;
    this.labels.draw(
      this.views.eyes().length ? [] : this.crafts.values(),
      this.camera,
      this.size.x,
      this.size.y,
      this.selected,
      hidden,
      this.layers.names,
    );
  }

  /** Chooses the level of detail of each vehicle from its size in pixels, with a limit per level. */
  private rank(camera: THREE.PerspectiveCamera, height: number): void {
    const { near, middle } = this.pace.step;
    const list = this.ranked;
    list.length = 0;
    for (const craft of this.crafts.values()) {
      craft.across = pixelsAcross(craft, camera, height);
      craft.level = craft.vehicle.name === this.selected ? 0 : 2;
      if (craft.level && craft.across > 12) list.push(craft);
    }
    list.sort((a, b) => b.across - a.across);
    for (let i = 0; i < list.length && i < middle; i++) list[i].level = i < near && list[i].across > 60 ? 0 : 1;
  }

  /** Prepares the vehicles for a camera and a picture height in pixels. */
  arrange(camera: THREE.PerspectiveCamera, height: number): void {
    this.rank(camera, height);
    for (const mates of this.mates.values()) mates.draw(this.layers.wash);
  }

  /** The number of mesh files loaded. */
  get files(): number {
    return [...this.mates.values()].filter((m) => m.isFromFile).length;
  }

  /** The vehicles drawn with all their parts. */
  nearest(): string[] {
    return [...this.crafts.values()].filter((craft) => craft.level === 0).map((craft) => craft.vehicle.name);
  }

  draw(): void {
    const now = performance.now(),
      dt = Math.min(0.1, (now - this.lastFrame) / 1000);
    this.lastFrame = now;
    for (const v of this.fleet.vehicles.values()) v.interpolate(now);
    if (!this.views.ready && this.fleet.vehicles.size) this.mode === "follow" ? this.setMode("follow") : this.frame();
    this.dressFans();
    for (const craft of this.crafts.values()) craft.update(this.paused ? 0 : dt);
    for (const fan of this.fans.values()) fan.group.visible = this.layers.sonar;
    this.tracks.lines.visible = this.layers.tracks;
    this.hits.points.visible = this.layers.sonar;
    this.fronts.group.visible = this.layers.sound;
    this.arrows.group.visible = this.layers.current;
    this.surface.mesh.visible = this.layers.surface;
    for (const ghost of this.ghosts.values()) ghost.group.visible = this.layers.estimates;
    this.drawMeasured(now);
    this.fronts.update(this.time, this.soundSpeed);
    this.flashes.update(dt);
    this.views.move(dt);
    this.arrange(this.camera, this.size.y);
    shared.time.value = this.time;
    const far = this.camera.position.distanceTo(this.controls.target);
    this.light(this.camera, Math.max(far, this.things.sight(this.controls.target)));
    this.surface.update(
      this.drawnTime(),
      this.camera,
      this.mode === "eyes" || this.mode === "fly" ? this.camera.position : this.controls.target,
      this.dark,
      this.ambience.haze,
      1.5 * far,
    );
    this.drift.update(this.paused ? 0 : dt, this.camera);
    this.drift.points.visible &&= !this.ambience.indoors;
    this.drawScale(far);
    const eyes = this.views.eyes(),
      own = this.fleet.vehicles.get(this.selected ?? "");
    this.canvas.parentElement!.classList.toggle("two-eyes", eyes.length === 2);
    const seen = this.canvas.clientWidth > 0;
    if (seen && own && eyes.length) this.renderEyes(own, eyes);
    else if (seen) this.renderer.render(this.scene, this.camera);
    this.frames.drawn++;
    this.frames.calls = this.renderer.info.render.calls;
    this.frames.triangles = this.renderer.info.render.triangles;
    this.drawLabels();
    this.count(now);
  }

  /** The time drawn: vehicles are between two samples, and the waves must match them. */
  private drawnTime(): number {
    const v = this.fleet.vehicles.get(this.selected ?? "") ?? this.fleet.vehicles.values().next().value;
    if (!v) return this.time;
    const f = Math.min(1, Math.max(0, (this.lastFrame - v.now.at) / Math.max(8, v.now.at - v.before.at)));
    return v.before.time + f * (v.now.time - v.before.time);
  }

  /** Air above the surface, water below, for a camera that looks at something `far` (m) away. */
  light(camera: THREE.Camera, far: number): void {
    this.ambience.light(camera, far, this.dark);
    this.surface.setHaze(this.ambience.haze);
  }

  /** For tests: what the picture shows of the selected vehicle, what is below it, and the names that are drawn. */
  seen(): object {
    const own = this.fleet.vehicles.get(this.selected ?? ""),
      craft = own && this.crafts.get(own.name),
      ground = own ? this.things.groundAt(own.p[0], own.p[1]) : NaN;
    this.camera.updateMatrixWorld(); // it may have moved since the last frame
    return {
      across: craft ? pixelsAcross(craft, this.camera, this.size.y) / this.size.x : 0, // of the width
      inView: [...this.fleet.vehicles.values()].filter((v) => this.views.sees(toScene(v.p))).map((v) => v.name),
      ground: Number.isFinite(ground) ? -ground : null, // m of depth
      grid: this.things.gridDepth,
      pools: this.things.pools.map((p) => p.box.getSize(new THREE.Vector3()).toArray()),
      things: this.things.list.map((t) => t.name),
    };
  }

  /** The depth grid, plumb line, scale and names, and the mark at a moment of the past. */
  private drawScale(far: number): void {
    const own = this.fleet.vehicles.get(this.selected ?? ""),
      half = own ? (this.crafts.get(own.name)?.size ?? 0.5) : 0.5;
    let deepest = 0;
    for (const v of this.fleet.vehicles.values())
      if (v === own || toScene(v.p).distanceTo(this.controls.target) < 2 * far) deepest = Math.max(deepest, v.depth);
    this.things.update(this.controls.target, far, deepest, half);
    const outside = this.mode !== "eyes";
    this.scale.draw(this.things, this.camera, this.controls.target, this.size, own, half, {
      names: this.layers.names && outside,
      plumb: this.layers.names && outside && this.mode !== "map",
      pointer: outside,
      map: this.mode === "follow",
      contour: shared.contour.value,
    });
    const place = this.moment === null ? null : (own?.placeAt(this.moment) ?? null);
    this.mark.visible = !!place;
    if (!place) return;
    this.mark.position.copy(toScene(place));
    this.mark.scale.setScalar(Math.max(0.5 * half, 0.015 * this.camera.position.distanceTo(this.mark.position)));
    this.mark.quaternion.copy(this.camera.quaternion);
  }

  /** The median time (ms) of a number of frames until the picture is complete, and the draw counts of one. */
  measure(frames: number, tick: (now: number) => void): object {
    const gl = this.renderer.getContext(),
      pixel = new Uint8Array(4),
      whole: number[] = [];
    const first = performance.now();
    for (let i = 0; i < frames; i++) {
      const start = performance.now();
      tick(first + 16.7 * i); // periodic work runs as often as at 60 frames per second
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      whole.push(performance.now() - start);
    }
    const middle = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1];
    this.pace.again();
    return {
      whole: middle(whole),
      calls: this.frames.calls,
      triangles: this.frames.triangles,
      pixels: [this.canvas.width, this.canvas.height],
      software: this.software,
    };
  }

  private count(now: number): void {
    this.frames.count++;
    if (now - this.rateAt > 1000) {
      this.frames.rate = (1000 * this.frames.count) / (now - this.rateAt);
      this.frames.count = 0;
      this.rateAt = now;
    }
    this.frames.cost = performance.now() - now;
  }
}
