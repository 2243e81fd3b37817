/** The 3D view. The root group has east, north and up as its x, y and z. */
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Fleet, Vehicle } from "../fleet";
import type { Overlay } from "../overlay";
import {
  SceneShape,
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
import { Craft, looksOfShapes } from "./craft";
import { contourFor, groundMaterial, heightmapMesh, shared } from "./ground";
import { place, shapeGeometry } from "./hulls";
import { Labels } from "./labels";
import { Fleetmates, signatureOf } from "./mates";
import { Measured } from "./measured";
import { isSoftware, Pace, type Picture } from "./picture";
import { Arrows, Fan, Flashes, Ghost, Hits, Tethers, Wavefronts } from "./marks";
import { Tracks } from "./tracks";
import { airColour, Drift, patchFog, Surface, waterColour, type Wave } from "./water";

export type CameraMode = "orbit" | "follow" | "map" | "fly" | "eyes";
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

/** A sky for reflections in hulls and glass: bright above, dark water below. */
function skyOf(renderer: THREE.WebGLRenderer): THREE.Texture {
  const scene = new THREE.Scene(),
    generator = new THREE.PMREMGenerator(renderer);
  const dome = new THREE.Mesh(
    new THREE.SphereGeometry(10, 32, 24),
    new THREE.ShaderMaterial({
      side: THREE.BackSide,
      vertexShader:
        "varying vec3 d; void main() { d = normalize(position); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: /* glsl */ `varying vec3 d; void main() {
      float h = normalize(d).y;
      vec3 c = mix(vec3(0.02, 0.10, 0.14), vec3(0.55, 0.75, 0.85), smoothstep(-0.25, 0.35, h));
      c += vec3(1.6) * smoothstep(0.93, 0.99, dot(normalize(d), normalize(vec3(0.45, 0.8, 0.3))));
      gl_FragColor = vec4(mix(c, vec3(0.85, 0.95, 1.0), smoothstep(0.5, 1.0, h)), 1.0); }`,
    }),
  );
  scene.add(dome);
  const texture = generator.fromScene(scene, 0.02).texture;
  generator.dispose();
  return texture;
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
  mode: CameraMode = "orbit";
  selected: string | null = null;
  frames = { count: 0, rate: 0, cost: 0, drawn: 0, calls: 0, triangles: 0 };
  /** whether a vehicle has fins that turn */
  finned: (name: string) => boolean = () => false;
  onPick: (name: string | null) => void = () => {};
  soundSpeed = 1500;
  dark = 1;
  time = 0;

  private scene = new THREE.Scene();
  private fog = new THREE.FogExp2(waterColour.getHex(), 1);
  readonly surface = new Surface();
  private drift = new Drift();
  private crafts = new Map<string, Craft>();
  private mates = new Map<string, Fleetmates>(); // by looks
  private matesOfType = new Map<string, Fleetmates>();
  private types = new Map<string, { type: string; model: string }>(); // of vehicles
  private ground = new THREE.Group();
  private shapes: SceneShape[] = [];
  private joints: SceneJoint[] = [];
  private looks: SceneLook[] = [];
  private turbidity = 1; // relative to clear water
  private meshes: SceneMesh[] = [];
  mounts: SceneMount[] = [];
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
  private framed = false;
  private keys = new Set<string>();
  private followOffset = new THREE.Vector3();
  private lastTarget = new THREE.Vector3();
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
    this.scene.fog = this.fog;
    shared.sky = skyOf(this.renderer);
    this.root.rotation.x = -Math.PI / 2;
    this.sun.position.set(60, 120, 40);
    this.scene.add(this.root, this.sun, this.sky, this.surface.mesh, this.drift.points);
    this.root.add(
      this.tracks.lines,
      this.ground,
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
    addEventListener("keydown", (e) => this.keys.add(e.code));
    addEventListener("keyup", (e) => this.keys.delete(e.code));
    addEventListener("blur", () => this.keys.clear());
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
    this.framed = false;
  }

  takeScene(m: Scene): void {
    this.shapes = m.shapes;
    this.joints = m.joints;
    this.meshes = m.meshes;
    this.mounts = m.mounts;
    this.buildGround(m);
    this.takeWaves(m.waves ?? []);
    this.looks = m.looks ?? [];
    this.turbidity = (m.attenuation ?? 0.045) / 0.045;
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

  private buildGround(m: Scene): void {
    this.ground.clear();
    for (const map of m.heightmaps) {
      this.ground.add(heightmapMesh(map, new THREE.Color(0xc9bc9a)));
      shared.contour.value = contourFor(map.heights);
    }
    for (const s of m.shapes) {
      if (s.frame !== "map") continue;
      const colour = new THREE.Color(s.colour.r, s.colour.g, s.colour.b);
      const mesh = new THREE.Mesh(
        shapeGeometry(s, m.meshes),
        groundMaterial(colour, false, s.kind === SceneShape.PLANE),
      );
      if (s.kind === SceneShape.PLANE) {
        const material = mesh.material as THREE.MeshStandardMaterial;
        material.transparent = true;
        material.opacity = 0.9;
      }
      place(mesh, s.pose);
      this.ground.add(mesh);
    }
  }

  /** The vehicles with the same looks as this one, of any type; in older logs without looks, with the same shapes. */
  private matesOf(v: Vehicle): Fleetmates {
    const known = this.types.get(v.name),
      own = known ? [] : this.shapes.filter((s) => s.frame === v.name);
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
    if (this.crafts.has(v.name) || !(this.types.has(v.name) || this.shapes.some((s) => s.frame === v.name))) return;
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

  private world(p: [number, number, number]): THREE.Vector3 {
    return new THREE.Vector3(p[0], p[2], -p[1]);
  }

  /** All vehicles in view. */
  frame(): void {
    const box = new THREE.Box3();
    for (const v of this.fleet.vehicles.values()) box.expandByPoint(this.world(v.p));
    for (const o of this.overlays.values()) if (o.ghost) box.expandByPoint(this.world(o.ghost.p));
    if (box.isEmpty()) return;
    const centre = box.getCenter(new THREE.Vector3()),
      radius = Math.max(3, box.getSize(new THREE.Vector3()).length() / 2);
    const distance = (radius * 1.15) / Math.tan((this.camera.fov * Math.PI) / 360) / Math.min(1, this.camera.aspect);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(new THREE.Vector3(0.45, 0.42, 0.79).normalize().multiplyScalar(distance));
    this.controls.update();
    this.framed = true;
  }

  setMode(mode: CameraMode): void {
    const before = this.mode;
    this.mode = mode;
    this.controls.enabled = mode !== "eyes" && mode !== "fly";
    this.controls.maxPolarAngle = mode === "map" ? 0.001 : Math.PI;
    this.controls.enableRotate = mode !== "map";
    const v = this.fleet.vehicles.get(this.selected ?? "");
    const fresh = before !== mode || !this.framed;
    if (v && mode !== "orbit") this.framed = true; // the camera is already placed
    if (mode === "map") {
      const c = v ? this.world(v.p) : this.controls.target.clone();
      const height = Math.max(40, this.camera.position.distanceTo(this.controls.target));
      this.controls.target.copy(c);
      this.camera.position.set(c.x, c.y + height, c.z + 0.01);
    }
    if (mode === "follow" && v) {
      const size = this.crafts.get(v.name)?.size ?? 1,
        p = this.world(v.p),
        h = v.heading;
      this.controls.target.copy(p);
      if (fresh)
        this.camera.position
          .copy(p)
          .add(
            new THREE.Vector3(
              -Math.sin(h) * 3.3 * size - Math.cos(h) * 2 * size,
              1.5 * size,
              Math.cos(h) * 3.3 * size - Math.sin(h) * 2 * size,
            ),
          );
      this.lastTarget.copy(p);
    }
    if (mode === "orbit" && before === "map") this.frame();
  }

  private moveCamera(dt: number): void {
    const v = this.fleet.vehicles.get(this.selected ?? "");
    if (this.mode === "follow" && v) {
      const p = this.world(v.p);
      this.followOffset.copy(p).sub(this.lastTarget);
      if (this.followOffset.length() < 100) this.camera.position.add(this.followOffset);
      this.controls.target.copy(p);
      this.lastTarget.copy(p);
    } else if (this.mode === "eyes" && v) {
      this.lookFrom(v, new THREE.Vector3(1.05 * (this.crafts.get(v.name)?.size ?? 0.5), 0, 0), new THREE.Quaternion());
      return;
    } else if (this.mode === "fly") this.fly(dt);
    this.camera.up.set(0, 1, 0);
    if (this.mode !== "fly") this.controls.update();
  }

  /** Places the camera at a point of a vehicle (forward, port, up), looking along the x axis of an attitude. */
  private lookFrom(v: Vehicle, place: THREE.Vector3, attitude: THREE.Quaternion): void {
    const body = new THREE.Quaternion(v.q[0], v.q[1], v.q[2], v.q[3]),
      turn = (a: THREE.Vector3) => new THREE.Vector3(a.x, a.z, -a.y);
    const q = body.clone().multiply(attitude),
      ahead = turn(new THREE.Vector3(1, 0, 0).applyQuaternion(q));
    this.camera.position.copy(this.world(v.p)).add(turn(place.clone().applyQuaternion(body)));
    this.camera.up.copy(turn(new THREE.Vector3(0, 0, 1).applyQuaternion(q)));
    this.camera.lookAt(this.camera.position.clone().add(ahead));
  }

  /** The two cameras of the selected vehicle, port first, if it has two and the onboard view is on. */
  private eyes(): SceneMount[] {
    const two =
      this.mode === "eyes" ? this.mounts.filter((m) => m.vehicle === this.selected && m.kind === "camera") : [];
    return two.length === 2 ? two.sort((a, b) => b.pose.position.y - a.pose.position.y) : [];
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
      this.lookFrom(v, new THREE.Vector3(p.x + 0.01, p.y, p.z), new THREE.Quaternion(q.x, q.y, q.z, q.w));
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

  private fly(dt: number): void {
    const step = (this.keys.has("ShiftLeft") ? 40 : 8) * dt,
      turn = 1.2 * dt;
    const ahead = this.camera.getWorldDirection(new THREE.Vector3()),
      side = ahead.clone().cross(this.camera.up).normalize();
    if (this.keys.has("KeyW")) this.camera.position.addScaledVector(ahead, step);
    if (this.keys.has("KeyS")) this.camera.position.addScaledVector(ahead, -step);
    if (this.keys.has("KeyA")) this.camera.position.addScaledVector(side, -step);
    if (this.keys.has("KeyD")) this.camera.position.addScaledVector(side, step);
    if (this.keys.has("KeyE")) this.camera.position.y += step;
    if (this.keys.has("KeyQ")) this.camera.position.y -= step;
    if (this.keys.has("ArrowLeft")) this.camera.rotateOnWorldAxis(new THREE.Vector3(0, 1, 0), turn);
    if (this.keys.has("ArrowRight")) this.camera.rotateOnWorldAxis(new THREE.Vector3(0, 1, 0), -turn);
    if (this.keys.has("ArrowUp")) this.camera.rotateX(turn);
    if (this.keys.has("ArrowDown")) this.camera.rotateX(-turn);
    this.controls.target
      .copy(this.camera.position)
      .add(this.camera.getWorldDirection(new THREE.Vector3()).multiplyScalar(10));
  }

  /** rad from north, clockwise: heading of the camera */
  get bearing(): number {
    const d = this.mode === "map" ? new THREE.Vector3(0, 0, -1) : this.camera.getWorldDirection(new THREE.Vector3());
    return Math.atan2(d.x, -d.z);
  }

  // --- picking -------------------------------------------------------------------------------------------------------

  /** The vehicle nearest to the pointer, within 40 pixels. */
  private pick(e: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    let best: string | null = null,
      least = 40;
    for (const v of this.fleet.vehicles.values()) {
      const p = this.world(v.p).project(this.camera);
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
      this.eyes().length ? [] : this.crafts.values(),
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
    const scale = height / Math.tan((camera.fov * Math.PI) / 360),
      c = camera.position,
      { near, middle } = this.pace.step;
    const list = this.ranked;
    list.length = 0;
    for (const craft of this.crafts.values()) {
      const { p, name } = craft.vehicle,
        far = Math.hypot(p[0] - c.x, p[2] - c.y, -p[1] - c.z);
      craft.across = (craft.size * scale) / Math.max(far, 1e-3);
      craft.level = name === this.selected ? 0 : 2;
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
    if (!this.framed && this.fleet.vehicles.size) this.frame();
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
    this.moveCamera(dt);
    this.arrange(this.camera, this.size.y);
    this.light();
    shared.time.value = this.time;
    const far = this.camera.position.distanceTo(this.controls.target);
    this.surface.update(
      this.drawnTime(),
      this.camera,
      this.mode === "eyes" || this.mode === "fly" ? this.camera.position : this.controls.target,
      this.dark,
      this.scene.background as THREE.Color,
      1.5 * far,
    );
    this.drift.update(this.paused ? 0 : dt, this.camera);
    const eyes = this.eyes(),
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

  /** Air above the surface, water below. */
  private light(): void {
    const below = this.camera.position.y < 0;
    const far = this.camera.position.distanceTo(this.controls.target);
    // Clear water is drawn clearer from far away, so that large scenes are visible; turbid water is not.
    const help = Math.max(0, 1 - (this.turbidity - 1) / 3);
    const density = below ? Math.min(1, 16 / Math.max(16, far)) : Math.min(0.3, 7 / Math.max(7, far));
    this.fog.density = this.turbidity * (help * density + (1 - help) * (below ? 1 : 0.6));
    const deep = below ? Math.exp(this.camera.position.y / 60) : 1;
    const colour = waterColour.clone().multiplyScalar((0.35 + 0.65 * deep) * this.dark);
    this.fog.color.copy(below ? colour : waterColour.clone().multiplyScalar(0.9 * this.dark));
    this.scene.background = (below ? colour : airColour.clone().multiplyScalar(this.dark)).clone();
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
