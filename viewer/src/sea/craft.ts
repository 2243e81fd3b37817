/** Vehicles in the sea: one instanced mesh for each part of a type, whatever their number; track and moving parts. */
import * as THREE from "three";
import { trackLength, type Vehicle } from "../fleet";
import { causticLight, shared } from "./ground";
import { Kind, liveryOf, type Shape } from "./hulls";
import { buildBody, Look, type Body, type Moving, type SceneLook } from "./looks";

export interface Joint {
  name: string;
  parent: string;
  child: string;
  kind: number;
  pose: Shape["pose"];
  axis: { x: number; y: number; z: number };
}

const finePartsMost = 300; // vehicles of a type; of more the fins and screws are drawn at rest

/** Light from above that the waves focus, on hulls too. */
function withCaustics(material: THREE.MeshStandardMaterial, further?: (shader: THREE.WebGLProgramParametersWithUniforms) => void): THREE.MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.time = shared.time;
    shader.uniforms.caustics = shared.caustics;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 hullPlace; varying vec3 hullUp;")
      .replace(
        "#include <project_vertex>",
        /* glsl */ `#include <project_vertex>
        mat4 hullFrame = modelMatrix;
        #ifdef USE_INSTANCING
          hullFrame = modelMatrix * instanceMatrix;
        #endif
        hullPlace = (hullFrame * vec4(transformed, 1.0)).xyz;
        hullUp = mat3(hullFrame) * objectNormal;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 hullPlace; varying vec3 hullUp; uniform float time, caustics;\n${causticLight}`)
      .replace(
        "#include <color_fragment>",
        /* glsl */ `#include <color_fragment>
        float shine = caustics * exp(hullPlace.y / 8.0) * step(hullPlace.y, 0.0) * smoothstep(0.0, 0.9, normalize(hullUp).y);
        diffuseColor.rgb += diffuseColor.rgb * shine * 0.9 * web(hullPlace.xz * 1.6 + hullPlace.y * 0.35);`,
      );
    further?.(shader);
  };
  return material;
}

const jointsMost = 8; // of a tail

/** The skin follows the joints: each turns what lies astern of it, softly over a fold (m; half of it on each side). */
function bending(joints: number[]): (shader: THREE.WebGLProgramParametersWithUniforms) => void {
  const places = Array.from({ length: jointsMost }, (_, i) => joints[i] ?? -1e3), links = joints.slice(1).map((x, i) => joints[i] - x);
  const fold = Math.min(0.018, ...links.map((l) => 0.45 * l));
  return (shader) => {
    shader.uniforms.joints = { value: places };
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        /* glsl */ `#include <common>
        attribute vec4 bend, bendAft;
        uniform float joints[${jointsMost}];
        vec2 about(vec2 p, float x, float a) { float c = cos(a), s = sin(a); p.x -= x; return vec2(c * p.x - s * p.y + x, s * p.x + c * p.y); }
        float turnOf(int i) { return i < 4 ? bend[i] : bendAft[i - 4]; }
        float foldOf(int i, float x) { return -turnOf(i) * (1.0 - smoothstep(-${fold.toFixed(5)}, ${fold.toFixed(5)}, x - joints[i])); }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        /* glsl */ `#include <beginnormal_vertex>
        float turned = 0.0;
        for (int i = 0; i < ${Math.min(jointsMost, Math.max(1, joints.length))}; i++) turned += foldOf(i, position.x);
        objectNormal.xy = about(objectNormal.xy, 0.0, turned);`,
      )
      .replace(
        "#include <begin_vertex>",
        /* glsl */ `#include <begin_vertex>
        for (int i = ${Math.min(jointsMost, Math.max(1, joints.length)) - 1}; i >= 0; i--) transformed.xy = about(transformed.xy, joints[i], foldOf(i, position.x));`,
      );
  };
}

/** A jet behind a screw: a cone that fades. */
function jetGeometry(): THREE.BufferGeometry {
  const n = 20, rows = 5, p: number[] = [], c: number[] = [], index: number[] = [];
  for (let i = 0; i <= rows; i++)
    for (let k = 0; k <= n; k++) {
      const s = i / rows, a = (2 * Math.PI * k) / n, r = 0.42 + 0.28 * s;
      p.push(-s, r * Math.cos(a), r * Math.sin(a));
      c.push(0.86, 0.97, 1, 0.5 * (1 - s) ** 1.6 * (k % 2 ? 1 : 0.45)); // streaks
      if (i && k) {
        const a0 = (i - 1) * (n + 1) + k - 1, b0 = i * (n + 1) + k - 1;
        index.push(a0, b0, b0 + 1, a0, b0 + 1, a0 + 1);
      }
    }
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
  g.setAttribute("color", new THREE.Float32BufferAttribute(c, 4));
  g.setIndex(index);
  return g;
}

const one = new THREE.Vector3(1, 1, 1), up = new THREE.Vector3(0, 0, 1), ahead = new THREE.Vector3(1, 0, 0);

/** All vehicles of one type. */
export class Fleetmates {
  readonly group = new THREE.Group();
  readonly body: Body;
  readonly crafts: Craft[] = [];
  private meshes: { mesh: THREE.InstancedMesh; moving: Moving | null }[] = [];
  private jets: THREE.InstancedMesh[] = [];
  private bends: THREE.InstancedBufferAttribute[] = []; // four joints each
  private drawing: THREE.Object3D | null = null; // of a file
  private room = 0;
  private stale = true;

  constructor(looks: SceneLook[], meshes: any[], private joints: number[], expected: number) {
    this.body = buildBody(looks, meshes, expected, expected <= finePartsMost);
    for (const file of this.body.files) void this.load(file.look, file.data);
  }

  /** A glTF file: forward is its z, up its y. */
  private async load(look: SceneLook, data: Uint8Array): Promise<void> {
    const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
    try {
      const gltf = await new GLTFLoader().parseAsync(data.slice().buffer, "");
      const turned = new THREE.Group(), placed = new THREE.Group(), { position: p, orientation: q } = look.pose;
      turned.rotation.set(Math.PI / 2, 0, Math.PI / 2, "ZYX");
      turned.scale.setScalar(look.size[0]);
      turned.add(gltf.scene);
      placed.position.set(p.x, p.y, p.z);
      placed.quaternion.set(q.x, q.y, q.z, q.w);
      placed.add(turned);
      this.drawing = placed;
      this.body.reach = Math.max(this.body.reach, new THREE.Box3().setFromObject(placed).getBoundingSphere(new THREE.Sphere()).radius);
      for (const craft of this.crafts) craft.group.add(placed.clone());
    } catch (e) {
      console.warn(`the drawing ${look.name} cannot be read: ${(e as Error).message}`);
    }
  }

  add(craft: Craft): void {
    craft.mates = this;
    this.crafts.push(craft);
    if (this.drawing) craft.group.add(this.drawing.clone());
    this.stale = true;
  }

  remove(craft: Craft): void {
    const i = this.crafts.indexOf(craft);
    if (i >= 0) this.crafts.splice(i, 1);
    this.stale = true;
  }

  private instanced(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, material, this.room);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  private rebuild(): void {
    this.stale = false;
    if (this.crafts.length <= this.room && this.room) return;
    this.room = Math.max(this.crafts.length, 2 * this.room, 1);
    for (const { mesh } of this.meshes) mesh.dispose();
    this.group.clear();
    this.meshes = [];
    this.jets = [];
    const b = this.body, paint = () => withCaustics(new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.42, metalness: 0.08, side: THREE.DoubleSide, envMap: shared.sky, envMapIntensity: 0.55 }));
    if (b.still) this.meshes.push({ mesh: this.instanced(b.still, paint()), moving: null });
    if (b.clear) {
      const glass = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.08, metalness: 0.1, transparent: true, opacity: b.clear.opacity, depthWrite: false, envMap: shared.sky, envMapIntensity: 1.4 });
      this.meshes.push({ mesh: this.instanced(b.clear.geometry, glass), moving: null });
    }
    if (b.glow) this.meshes.push({ mesh: this.instanced(b.glow, new THREE.MeshBasicMaterial({ vertexColors: true })), moving: null });
    const material = b.moving.length ? paint() : null;
    for (const moving of b.moving) this.meshes.push({ mesh: this.instanced(moving.geometry, material!), moving });
    if (b.skin) {
      this.bends = ["bend", "bendAft"].map(() => new THREE.InstancedBufferAttribute(new Float32Array(4 * this.room), 4));
      b.skin.geometry.setAttribute("bend", this.bends[0]);
      b.skin.geometry.setAttribute("bendAft", this.bends[1]);
      const skin = new THREE.MeshStandardMaterial({ vertexColors: !!b.skin.geometry.attributes.color, roughness: 0.34, metalness: 0.12, side: THREE.DoubleSide, envMap: shared.sky, envMapIntensity: 0.7 });
      this.meshes.push({ mesh: this.instanced(b.skin.geometry, withCaustics(skin, bending(this.joints))), moving: null });
    }
    const jet = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, blending: THREE.AdditiveBlending });
    if (this.crafts.length <= finePartsMost) this.jets = b.jets.filter((j) => j.look.actuator).map(() => this.instanced(jetShape, jet));
    for (const mesh of this.jets) mesh.renderOrder = 4;
  }

  /** `wash`: whether the jets are shown. */
  draw(wash: boolean): void {
    if (this.stale) this.rebuild();
    const n = this.crafts.length, m = frameMatrix, turn = turnMatrix, jets = this.body.jets.filter((j) => j.look.actuator);
    for (const { mesh, moving } of this.meshes) {
      mesh.count = n;
      for (let i = 0; i < n; i++) {
        const craft = this.crafts[i];
        if (!moving) mesh.setMatrixAt(i, craft.frame);
        else {
          if (moving.look.kind === Look.Foil) turn.makeRotationAxis(up, craft.value(moving.look.actuator) * moving.look.turn);
          else turn.makeRotationAxis(ahead, craft.angle(moving.look));
          mesh.setMatrixAt(i, m.multiplyMatrices(craft.frame, moving.base).multiply(turn));
        }
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.bends.forEach((bends, k) => {
      for (let i = 0; i < n; i++) bends.set(this.crafts[i].bend.subarray(4 * k, 4 * k + 4), 4 * i);
      bends.needsUpdate = true;
    });
    this.jets.forEach((mesh, k) => {
      mesh.visible = wash;
      mesh.count = n;
      for (let i = 0; wash && i < n; i++) {
        const j = jets[k], share = this.crafts[i].share(j.look), d = j.diameter, tube = j.look.kind === Look.Tunnel ? j.look.size[1] / 2 : 0;
        const length = 7 * d * Math.sqrt(Math.abs(share)) * Math.sign(share);
        m.multiplyMatrices(this.crafts[i].frame, j.base);
        turn.makeScale(Math.abs(share) > 0.003 ? length : 1e-6, d, d);
        turn.setPosition(-Math.sign(share) * tube, 0, 0);
        mesh.setMatrixAt(i, m.multiply(turn));
      }
      mesh.instanceMatrix.needsUpdate = true;
    });
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const { mesh } of this.meshes) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}

const jetShape = jetGeometry(), frameMatrix = new THREE.Matrix4(), turnMatrix = new THREE.Matrix4(), place = new THREE.Vector3(), attitude = new THREE.Quaternion();

export class Craft {
  /** for what hangs on it: fans, drawings of files */
  readonly group = new THREE.Group();
  readonly frame = new THREE.Matrix4();
  readonly bend = new Float32Array(jointsMost); // rad
  readonly trackLine: THREE.Line | null = null;
  mates: Fleetmates | null = null;
  private values = new Map<string, number>();
  private angles = new Map<string, number>();

  constructor(readonly vehicle: Vehicle, tracked: boolean) {
    this.group.userData.vehicle = vehicle.name;
    if (!tracked) return;
    const line = new THREE.BufferGeometry();
    line.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * trackLength), 3));
    this.trackLine = new THREE.Line(line, new THREE.LineBasicMaterial({ color: vehicle.colour, transparent: true, opacity: 0.85 }));
    this.trackLine.frustumCulled = false;
  }

  /** m: its greatest half length */
  get size(): number {
    return this.mates?.body.reach || 0.25;
  }
  value(actuator: string): number {
    return this.values.get(actuator) ?? 0;
  }
  /** of the greatest order, -1 … 1 */
  share(look: SceneLook): number {
    const x = this.value(look.actuator) / (look.full || 1), square = look.unit === "rad/s" || look.unit === "V";
    return Math.max(-1, Math.min(1, square ? x * Math.abs(x) : x));
  }
  /** rad: how far a screw has turned */
  angle(look: SceneLook): number {
    return this.angles.get(look.actuator) ?? 0;
  }

  /** /NAME/joints: the fish's spine bends. Fins come with the actuators. */
  takeJoints(names: string[], angles: ArrayLike<number>): void {
    names.forEach((name, i) => {
      const m = /^joint(\d)$/.exec(name);
      if (m && Number(m[1]) <= jointsMost) this.bend[Number(m[1]) - 1] = angles[i];
    });
  }

  takeActuators(names: string[], values: ArrayLike<number>): void {
    names.forEach((name, i) => this.values.set(name, values[i]));
  }

  /** Screws turn at their rate (rad/s; where it is not told, by the root of their order), slowed so that the eye can follow. */
  update(dt: number): void {
    const { p, q } = this.vehicle;
    this.frame.compose(place.set(p[0], p[1], p[2]), attitude.set(q[0], q[1], q[2], q[3]), one);
    this.group.position.copy(place);
    this.group.quaternion.copy(attitude);
    for (const { look } of this.mates?.body.moving ?? [])
      if (look.kind === Look.Screw) {
        const v = this.value(look.actuator), rate = look.unit === "rad/s" ? v : 150 * Math.sign(v) * Math.sqrt(Math.min(1, Math.abs(v) / (look.full || 1)));
        this.angles.set(look.actuator, this.angle(look) + Math.sign(rate) * Math.min(Math.abs(rate), 8 + 0.08 * Math.abs(rate)) * dt);
      }
  }

  /** The track as one strip, oldest first. */
  updateTrack(): void {
    if (!this.trackLine) return;
    const v = this.vehicle, a = this.trackLine.geometry.attributes.position as THREE.BufferAttribute, array = a.array as Float32Array;
    const first = v.trackCount < trackLength ? 0 : v.trackNext;
    const tailCount = v.trackCount - first;
    if (first === 0) array.set(v.track.subarray(0, 3 * v.trackCount));
    else {
      array.set(v.track.subarray(3 * first), 0);
      array.set(v.track.subarray(0, 3 * first), 3 * tailCount);
    }
    a.needsUpdate = true;
    this.trackLine.geometry.setDrawRange(0, v.trackCount);
  }

  dispose(): void {
    this.mates?.remove(this);
    this.group.removeFromParent();
    this.trackLine?.removeFromParent();
    this.trackLine?.geometry.dispose();
  }
}

/** Looks of a vehicle of an older log, whose scene has none: its shapes in the livery of its name. */
export function looksOfShapes(shapes: Shape[]): SceneLook[] {
  const axes = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), -Math.PI / 2);
  return shapes.filter((s) => Math.max(...(s.size as number[])) > 0).map((s) => {
    const c = new THREE.Color(liveryOf(s.name).hull), [x, y, z] = s.size as number[], o = s.pose.orientation;
    const long = s.kind === Kind.Cylinder || s.kind === Kind.Capsule || s.kind === Kind.Cone;
    const q = new THREE.Quaternion(o.x, o.y, o.z, o.w || (o.x || o.y || o.z ? 0 : 1));
    if (long) q.multiply(axes); // theirs lie along z
    const size = s.kind === Kind.Sphere ? [2 * x, 2 * x, 2 * x] : s.kind === Kind.Ellipsoid ? [2 * x, 2 * y, 2 * z]
      : s.kind === Kind.Capsule ? [y + 2 * x, 2 * x, 2 * x] : long ? [y, 2 * x, 2 * x] : s.kind === Kind.Mesh ? [1] : [x, y, z];
    const kind = { [Kind.Box]: Look.Box, [Kind.Sphere]: Look.Sphere, [Kind.Cylinder]: Look.Cylinder, [Kind.Capsule]: Look.Capsule, [Kind.Plane]: Look.Box, [Kind.Ellipsoid]: Look.Ellipsoid, [Kind.Mesh]: Look.Mesh, [Kind.Line]: Look.Box, [Kind.Cone]: Look.Cone }[s.kind];
    return { type: 0, name: s.name, kind, pose: { position: s.pose.position, orientation: { x: q.x, y: q.y, z: q.z, w: q.w } }, size, mesh: s.mesh, colour: { ...c, r: c.r, g: c.g, b: c.b, a: 1 }, glows: false, actuator: "", unit: "", turn: 0, full: 0 };
  });
}
