/** Shapes of the scene as meshes. Frames are forward (x), port (y), up (z), as in the messages. */
import * as THREE from "three";

export enum Kind { Box, Sphere, Cylinder, Capsule, Plane, Ellipsoid, Mesh, Line, Cone }

export interface Shape {
  name: string;
  frame: string;
  kind: Kind;
  pose: { position: { x: number; y: number; z: number }; orientation: { x: number; y: number; z: number; w: number } };
  size: Float64Array | number[];
  mesh: number;
  colour: { r: number; g: number; b: number; a: number };
}

/** A body of revolution or of superellipse sections along x: half width and height at each station, exponent of the section. */
function lofted(stations: { x: number; y: number; z: number; n?: number }[], around = 28): THREE.BufferGeometry {
  const p: number[] = [], index: number[] = [];
  stations.forEach((s, i) => {
    const power = 2 / (s.n ?? 2);
    for (let k = 0; k <= around; k++) {
      const a = (2 * Math.PI * k) / around, c = Math.cos(a), d = Math.sin(a);
      p.push(s.x, s.y * Math.sign(c) * Math.abs(c) ** power, s.z * Math.sign(d) * Math.abs(d) ** power);
      if (i && k) {
        const a0 = (i - 1) * (around + 1) + k - 1, b0 = i * (around + 1) + k - 1;
        index.push(a0, b0, b0 + 1, a0, b0 + 1, a0 + 1);
      }
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

/** A hull with the outline of a torpedo: Myring's nose and tail on a straight middle. */
export function torpedo(length: number, radius: number): THREE.BufferGeometry {
  const nose = 0.16 * length, tail = 0.32 * length, stations = [];
  for (let i = 0; i <= 48; i++) {
    const x = i / 48 * length, end = length - tail;
    let r = radius;
    if (x < nose) r = radius * Math.sqrt(Math.max(0, 1 - ((x - nose) / nose) ** 2));
    else if (x > end) r = radius * (1 - 0.86 * ((x - end) / tail) ** 2);
    stations.push({ x: length / 2 - x, y: Math.max(r, 1e-4), z: Math.max(r, 1e-4) });
  }
  stations.push({ x: -length / 2, y: 1e-4, z: 1e-4 });
  return lofted(stations);
}

/** A box hull with rounded edges and a faired nose. */
export function boxHull(x: number, y: number, z: number, faired: boolean): THREE.BufferGeometry {
  if (!faired) return new THREE.BoxGeometry(x, y, z, 4, 2, 2);
  const nose = Math.min(0.22 * x, 1.2 * y), tail = 0.08 * x, stations = [{ x: x / 2, y: 1e-4, z: 1e-4, n: 2 }];
  for (let i = 1; i <= 40; i++) {
    const s = i / 40 * x;
    let f = 1, n = 7;
    if (s < nose) {
      f = Math.sqrt(1 - ((nose - s) / nose) ** 2);
      n = 2 + 5 * (s / nose) ** 2;
    } else if (s > x - tail) f = 1 - 0.35 * ((s - (x - tail)) / tail) ** 2;
    stations.push({ x: x / 2 - s, y: f * y / 2, z: f * z / 2, n });
  }
  stations.push({ x: -x / 2, y: 1e-4, z: 1e-4, n: 7 });
  return lofted(stations, 40);
}

/** Geometry of a shape in its own pose. Sizes are as the scene has them: see fathom_msgs/SceneShape. */
export function shapeGeometry(s: Shape, meshes: any[], ofVehicle: boolean): THREE.BufferGeometry {
  const [a, b, c] = s.size as number[];
  switch (s.kind) {
    case Kind.Box: return boxHull(a, b, c, ofVehicle && a > 2 * Math.max(b, c));
    case Kind.Sphere: return new THREE.SphereGeometry(Math.max(a, 1e-3), 32, 20);
    case Kind.Cylinder: return new THREE.CylinderGeometry(a, a, b, 32).rotateX(Math.PI / 2);
    case Kind.Capsule: return new THREE.CapsuleGeometry(a, b, 12, 28).rotateX(Math.PI / 2);
    case Kind.Cone: return new THREE.ConeGeometry(a, b, 28).rotateX(Math.PI / 2);
    case Kind.Plane: return new THREE.PlaneGeometry(400, 400, 40, 40);
    case Kind.Ellipsoid: return ofVehicle && a > 3 * Math.max(b, c) ? torpedo(2 * a, Math.max(b, c)) : new THREE.SphereGeometry(1, 32, 20).scale(a, b, c);
    case Kind.Mesh: {
      const mesh = meshes[s.mesh], geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(mesh?.vertices ?? []), 3));
      geometry.setIndex([...(mesh?.triangles ?? [])]);
      geometry.computeVertexNormals();
      return geometry;
    }
    default: return new THREE.BufferGeometry();
  }
}

export function place(object: THREE.Object3D, pose: Shape["pose"]): void {
  const { position: p, orientation: q } = pose;
  object.position.set(p.x, p.y, p.z);
  if (q.x || q.y || q.z || q.w) object.quaternion.set(q.x, q.y, q.z, q.w);
}

/** What the real one looks like, where the model says nothing: by the name of the model. */
export const liveries: [RegExp, { hull: number; trim: number }][] = [
  [/nps-auv|phoenix/i, { hull: 0xf2c230, trim: 0x16181c }],
  [/remus/i, { hull: 0xf5d000, trim: 0x20242a }],
  [/snookie/i, { hull: 0xdfe5ea, trim: 0x5c6b78 }],
  [/fish/i, { hull: 0xe8743b, trim: 0x6b3a24 }],
  [/buoy/i, { hull: 0xff5a36, trim: 0xffffff }],
  [/lauv/i, { hull: 0xff7a1a, trim: 0x14171b }],
  [/bluerov/i, { hull: 0x2f7de1, trim: 0x101317 }],
  [/otter|heron|surface|usv|ship|kvlcc/i, { hull: 0xf4f6f8, trim: 0xd0312d }],
  [/glider|slocum/i, { hull: 0xf7e01e, trim: 0x22262c }],
];
export function liveryOf(model: string): { hull: number; trim: number } {
  return liveries.find(([pattern]) => pattern.test(model))?.[1] ?? { hull: 0xc9d3da, trim: 0x39444d };
}

/** Tail fins in a cross and a propeller, for slender hulls whose model shows none. Turned by whoever draws. */
export function tail(length: number, radius: number, trim: THREE.Material): { group: THREE.Group; propeller: THREE.Object3D } {
  const group = new THREE.Group(), chord = 0.07 * length, span = Math.max(1.5 * radius, 0.05 * length);
  const outline = new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(-chord, 0), new THREE.Vector2(-chord, span), new THREE.Vector2(-0.35 * chord, span)]);
  const blade = new THREE.ExtrudeGeometry(outline, { depth: 0.012 * length, bevelEnabled: false }).translate(0, 0.3 * radius, -0.006 * length);
  for (let k = 0; k < 4; k++) {
    const fin = new THREE.Mesh(blade, trim);
    fin.position.x = -0.37 * length;
    fin.rotation.x = (k * Math.PI) / 2;
    group.add(fin);
  }
  const propeller = screw(0.85 * radius, trim);
  propeller.position.x = -length / 2 - 0.01 * length;
  group.add(propeller);
  return { group, propeller };
}

/** Three blades about x. */
function screw(radius: number, material: THREE.Material): THREE.Group {
  const group = new THREE.Group();
  const blade = new THREE.SphereGeometry(1, 10, 8).scale(0.06 * radius, 0.22 * radius, 0.5 * radius).translate(0, 0, 0.5 * radius);
  for (let k = 0; k < 3; k++) {
    const b = new THREE.Mesh(blade, material), arm = new THREE.Group();
    b.rotation.z = 0.6;
    arm.rotation.x = (2 * Math.PI * k) / 3;
    arm.add(b);
    group.add(arm);
  }
  group.add(new THREE.Mesh(new THREE.SphereGeometry(0.18 * radius, 10, 8), material));
  return group;
}

/** The skin of a fish over its spine: sections that follow the joints. */
export class FishSkin {
  readonly mesh: THREE.Mesh;
  private readonly rings = 26;
  private readonly around = 14;
  private readonly tailFin: THREE.Mesh;

  /** `links`: lengths (m) from joint to joint; `head`: from the first joint to the snout. */
  constructor(private links: number[], private head: number, hull: THREE.Material, fin: THREE.Material) {
    const geometry = new THREE.BufferGeometry(), index: number[] = [], n = this.around + 1;
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * this.rings * n), 3));
    for (let i = 1; i < this.rings; i++)
      for (let k = 1; k < n; k++) {
        const a = (i - 1) * n + k - 1, b = i * n + k - 1;
        index.push(a, b, b + 1, a, b + 1, a + 1);
      }
    geometry.setIndex(index);
    this.mesh = new THREE.Mesh(geometry, hull);
    this.mesh.frustumCulled = false;
    const h = 0.15 * (head + links.reduce((a, b) => a + b, 0));
    const shape = new THREE.Shape();
    shape.moveTo(0.1 * h, 0);
    shape.quadraticCurveTo(-0.4 * h, 0.5 * h, -0.9 * h, h);
    shape.quadraticCurveTo(-0.55 * h, 0, -0.9 * h, -h);
    shape.quadraticCurveTo(-0.4 * h, -0.5 * h, 0.1 * h, 0);
    this.tailFin = new THREE.Mesh(new THREE.ShapeGeometry(shape).rotateX(Math.PI / 2), fin);
    this.mesh.add(this.tailFin);
    const dorsal = new THREE.Shape([new THREE.Vector2(0.5 * h, 0), new THREE.Vector2(-0.5 * h, 0), new THREE.Vector2(-0.45 * h, 0.5 * h)]);
    const back = new THREE.Mesh(new THREE.ShapeGeometry(dorsal).rotateX(Math.PI / 2), fin);
    back.position.set(0.15 * head, 0, 0.11 * this.length);
    this.mesh.add(back);
    this.bend(new Array(links.length).fill(0));
  }

  get length(): number {
    return this.head + this.links.reduce((a, b) => a + b, 0);
  }

  /** Angles of the joints (rad), as JointState tells them: clockwise seen from above. */
  bend(angles: ArrayLike<number>): void {
    const spine: [number, number, number][] = [[this.head, 0, 0], [0, 0, 0]]; // x, y, direction at each node
    let x = 0, y = 0, a = 0;
    this.links.forEach((link, i) => {
      a -= angles[i] ?? 0;
      x -= link * Math.cos(a);
      y -= link * Math.sin(a);
      spine.push([x, y, a]);
    });
    const total = this.length, p = this.mesh.geometry.attributes.position as THREE.BufferAttribute;
    for (let i = 0, k = 0; i < this.rings; i++) {
      const s = i / (this.rings - 1), along = s * total;
      let from = 0, passed = this.head;
      if (along > this.head)
        for (from = 1; from < spine.length - 2 && along > passed + this.links[from - 1]; from++) passed += this.links[from - 1];
      const start = from === 0 ? 0 : passed, size = from === 0 ? this.head : this.links[from - 1];
      const f = Math.min(1, (along - start) / Math.max(size, 1e-6)), u = spine[from], v = spine[from + 1];
      const cx = u[0] + f * (v[0] - u[0]), cy = u[1] + f * (v[1] - u[1]), dir = u[2] + f * (v[2] - u[2]);
      const body = Math.sqrt(Math.min(1, s / 0.28)) * (s < 0.35 ? 1 : Math.max(0.07, 1 - ((s - 0.35) / 0.62) ** 1.5));
      const high = 0.125 * total * body, wide = 0.075 * total * body;
      for (let j = 0; j <= this.around; j++, k++) {
        const t = (2 * Math.PI * j) / this.around, w = wide * Math.cos(t);
        p.setXYZ(k, cx - w * Math.sin(dir), cy + w * Math.cos(dir), high * Math.sin(t));
      }
    }
    p.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
    const end = spine[spine.length - 1];
    this.tailFin.position.set(end[0], end[1], 0);
    this.tailFin.rotation.set(0, 0, end[2]);
  }
}
