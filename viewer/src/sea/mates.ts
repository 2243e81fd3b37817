/** All vehicles with the same looks, drawn with a few instanced meshes for each of three levels of detail: near vehicles have all
 * moving parts, farther ones one coarse mesh, the rest are specks. */
import * as THREE from "three";
import type { Craft } from "./craft";
import { SceneLook, type SceneMesh } from "../messages";
import { buildBody, speckOf, type Body, type Moving } from "./looks";
import type { Hull } from "./measured";
import { glass, jetGeometry, paint, skin, wash } from "./paints";

const up = new THREE.Vector3(0, 0, 1),
  ahead = new THREE.Vector3(1, 0, 0),
  frameMatrix = new THREE.Matrix4(),
  turnMatrix = new THREE.Matrix4();
const jetShape = jetGeometry();
const fineness = [1, 0.3, 0.3];

interface Part {
  mesh: THREE.InstancedMesh;
  moving: Moving | null;
  base: THREE.Matrix4 | null; // in the body, of the fixed parts
}
/** A piece of a mesh file. */
interface Piece {
  geometry: THREE.BufferGeometry;
  material: THREE.Material;
  base: THREE.Matrix4;
}

/** The vehicles of one level. */
class Rank {
  readonly crafts: Craft[] = [];
  private parts: Part[] = [];
  private jets: { mesh: THREE.InstancedMesh; jet: Body["jets"][number] }[] = [];
  private bends: THREE.InstancedBufferAttribute[] = []; // four joints each
  private room = 0;

  constructor(
    private group: THREE.Group,
    private body: Body,
    private joints: number[],
    private pieces: Piece[],
    private level: number,
  ) {}

  private instanced(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, material, this.room);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  private build(): void {
    this.dispose();
    this.room = Math.max(this.crafts.length, 2 * this.room, 1);
    const b = this.body,
      still = (geometry: THREE.BufferGeometry, material: THREE.Material, base: THREE.Matrix4 | null = null) =>
        this.parts.push({ mesh: this.instanced(geometry, material), moving: null, base });
    if (b.still) still(b.still, paint());
    if (b.clear) still(b.clear.geometry, glass(b.clear.opacity));
    if (b.glow) still(b.glow, new THREE.MeshBasicMaterial({ vertexColors: true }));
    for (const p of this.pieces) still(p.geometry, p.material, p.base);
    const material = b.moving.length ? paint() : null;
    for (const moving of b.moving)
      this.parts.push({ mesh: this.instanced(moving.geometry, material!), moving, base: null });
    if (b.skin) {
      const geometry = b.skin.geometry.clone(); // each level has separate bends
      this.bends = ["bend", "bendAft"].map(
        () => new THREE.InstancedBufferAttribute(new Float32Array(4 * this.room), 4),
      );
      geometry.setAttribute("bend", this.bends[0]);
      geometry.setAttribute("bendAft", this.bends[1]);
      still(geometry, skin(this.joints, !!geometry.attributes.color));
    }
    const jet = wash();
    if (this.level === 0)
      this.jets = b.jets.filter((j) => j.look.actuator).map((j) => ({ mesh: this.instanced(jetShape, jet), jet: j }));
    for (const { mesh } of this.jets) mesh.renderOrder = 4;
  }

  draw(washed: boolean): void {
    const n = this.crafts.length;
    if (n > this.room) this.build();
    for (const part of this.parts) {
      part.mesh.visible = n > 0;
      if (n) this.drawPart(part, n);
    }
    this.bends.forEach((bends, k) => {
      for (let i = 0; i < n; i++) bends.set(this.crafts[i].bend.subarray(4 * k, 4 * k + 4), 4 * i);
      bends.needsUpdate = true;
    });
    for (const { mesh, jet } of this.jets) this.drawJet(mesh, jet, washed);
  }

  private drawPart({ mesh, moving, base }: Part, n: number): void {
    const m = frameMatrix,
      turn = turnMatrix;
    mesh.count = n;
    for (let i = 0; i < n; i++) {
      const craft = this.crafts[i];
      if (moving) {
        if (moving.look.kind === SceneLook.FOIL)
          turn.makeRotationAxis(up, craft.value(moving.look.actuator) * moving.look.turn);
        else turn.makeRotationAxis(ahead, craft.angle(moving.look));
        mesh.setMatrixAt(i, m.multiplyMatrices(craft.frame, moving.base).multiply(turn));
      } else mesh.setMatrixAt(i, base ? m.multiplyMatrices(craft.frame, base) : craft.frame);
    }
    mesh.instanceMatrix.needsUpdate = true;
  }

  private drawJet(mesh: THREE.InstancedMesh, { look, base, diameter: d }: Body["jets"][number], washed: boolean): void {
    const m = frameMatrix,
      turn = turnMatrix,
      tube = look.kind === SceneLook.TUNNEL ? look.size[1] / 2 : 0;
    let count = 0;
    for (const craft of washed ? this.crafts : []) {
      const share = craft.share(look);
      if (Math.abs(share) < 0.003) continue;
      m.multiplyMatrices(craft.frame, base);
      turn.makeScale(7 * d * Math.sqrt(Math.abs(share)) * Math.sign(share), d, d);
      turn.setPosition(-Math.sign(share) * tube, 0, 0);
      mesh.setMatrixAt(count++, m.multiply(turn));
    }
    mesh.visible = count > 0;
    mesh.count = count;
    mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(geometries = false): void {
    for (const { mesh } of [...this.parts, ...this.jets]) {
      mesh.removeFromParent();
      if (geometries && mesh.geometry !== jetShape) mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.parts = [];
    this.jets = [];
  }
}

export class Fleetmates {
  readonly group = new THREE.Group();
  readonly screws: SceneLook[];
  /** m: from the origin to the farthest point */
  reach: number;
  private readonly fine: Body;
  private ranks: (Rank | null)[] = [null, null, null];
  private pieces: Piece[] = [];
  private crafts = new Set<Craft>();

  constructor(
    private looks: SceneLook[],
    private meshes: SceneMesh[],
    private joints: number[],
  ) {
    this.fine = buildBody(looks, meshes, fineness[0], true);
    this.reach = this.fine.reach;
    this.screws = this.fine.moving.map((m) => m.look).filter((look) => look.kind === SceneLook.SCREW);
    for (const file of this.fine.files) void this.load(file.look, file.data);
  }

  /** A glTF file: forward is its z, up its y. */
  private async load(look: SceneLook, data: Uint8Array): Promise<void> {
    const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
    try {
      const gltf = await new GLTFLoader().parseAsync(data.slice().buffer, "");
      const turned = new THREE.Group(),
        placed = new THREE.Group(),
        { position: p, orientation: q } = look.pose;
      turned.rotation.set(Math.PI / 2, 0, Math.PI / 2, "ZYX");
      turned.scale.setScalar(look.size[0]);
      turned.add(gltf.scene);
      placed.position.set(p.x, p.y, p.z);
      placed.quaternion.set(q.x, q.y, q.z, q.w);
      placed.add(turned);
      placed.updateMatrixWorld(true);
      placed.traverse((o) => {
        const mesh = o as THREE.Mesh;
        if (mesh.isMesh)
          for (const material of [mesh.material].flat())
            this.pieces.push({ geometry: mesh.geometry, material, base: mesh.matrixWorld.clone() });
      });
      const box = new THREE.Box3().setFromObject(placed);
      this.reach = Math.max(this.reach, box.getBoundingSphere(new THREE.Sphere()).radius);
      this.fine.box.union(box);
      this.forgetRanks();
    } catch (e) {
      console.warn(`cannot read the mesh file ${look.name}: ${(e as Error).message}`);
    }
  }

  /** Its geometries, to draw it in one colour. */
  hulls(): Hull[] {
    const b = this.fine,
      list: Hull[] = [b.still, b.clear?.geometry, b.skin?.geometry].flatMap((geometry) =>
        geometry ? [{ geometry, base: null }] : [],
      );
    return [
      ...list,
      ...b.moving.map((m) => ({ geometry: m.geometry, base: m.base })),
      ...this.pieces.map((p) => ({ geometry: p.geometry, base: p.base })),
    ];
  }

  get isFromFile(): boolean {
    return this.pieces.length > 0;
  }

  private rank(level: number): Rank {
    const known = this.ranks[level];
    if (known) return known;
    const body =
      level === 0
        ? this.fine
        : level === 1
          ? buildBody(this.looks, this.meshes, fineness[1], false)
          : speckOf(this.fine, this.looks);
    return (this.ranks[level] = new Rank(this.group, body, this.joints, level < 2 ? this.pieces : [], level));
  }

  private forgetRanks(geometries = false): void {
    for (const rank of this.ranks) rank?.dispose(geometries);
    this.ranks = [null, null, null];
  }

  add(craft: Craft): void {
    craft.mates = this;
    this.crafts.add(craft);
  }

  remove(craft: Craft): void {
    this.crafts.delete(craft);
  }

  /** `washed`: whether the jets are shown. */
  draw(washed: boolean): void {
    for (const rank of this.ranks) if (rank) rank.crafts.length = 0;
    for (const craft of this.crafts) this.rank(craft.level).crafts.push(craft);
    for (const rank of this.ranks) rank?.draw(washed);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.forgetRanks(true);
  }
}

/** A key that is equal for equal looks. */
export function signatureOf(looks: SceneLook[], meshes: SceneMesh[], joints: number[]): string {
  const part = (l: SceneLook) => [
    l.kind,
    Object.values(l.pose.position),
    Object.values(l.pose.orientation),
    [...l.size],
    Object.values(l.colour),
    l.glows,
    l.actuator,
    l.unit,
    l.turn,
    l.full,
    l.kind === SceneLook.MESH || l.kind === SceneLook.SKIN ? meshSignature(meshes[l.mesh]) : 0,
  ];
  return JSON.stringify([joints, looks.map(part)]);
}

const meshSignatures = new WeakMap<object, number>();
/** FNV-1a of all data of a mesh. */
function meshSignature(mesh: SceneMesh | undefined): number {
  if (!mesh) return 0;
  let h = meshSignatures.get(mesh);
  if (h !== undefined) return h;
  h = 0x811c9dc5;
  for (const list of [mesh.vertices, mesh.triangles, mesh.colours, mesh.data]) {
    const view = ArrayBuffer.isView(list) ? list : new Float32Array(list ?? []),
      bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
    h = Math.imul(h ^ bytes.length, 0x01000193);
  }
  meshSignatures.set(mesh, h);
  return h;
}
