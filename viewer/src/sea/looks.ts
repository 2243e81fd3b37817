/** Geometry of what vehicles look like (fathom_msgs/SceneLook). Frames are forward (x), port (y), up (z). */
import * as THREE from "three";
import { SceneLook, type SceneMesh } from "../messages";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

/** Level of detail: 1 near, less far away. */
let fineness = 1;
const parts = (n: number, least = 6) => Math.max(least, Math.round(n * fineness));

/** For each vertex the first one at the same position. */
function firstAt(p: Float32Array): Int32Array {
  const n = p.length / 3,
    size = 1 << Math.ceil(Math.log2(2 * n + 1)),
    table = new Int32Array(size).fill(-1),
    first = new Int32Array(n),
    words = new Int32Array(p.buffer, p.byteOffset, p.length);
  for (let i = 0; i < 3 * n; i++) p[i] += 0; // −0 is 0
  for (let i = 0; i < n; i++) {
    const x = words[3 * i],
      y = words[3 * i + 1],
      z = words[3 * i + 2],
      h = Math.imul(Math.imul(Math.imul(x, 0x9e3779b1) ^ y, 0x85ebca6b) ^ z, 0xc2b2ae35);
    let slot = (h ^ (h >>> 15)) & (size - 1);
    for (; table[slot] >= 0; slot = (slot + 1) & (size - 1)) {
      const k = 3 * table[slot];
      if (words[k] === x && words[k + 1] === y && words[k + 2] === z) break;
    }
    if (table[slot] < 0) table[slot] = i;
    first[i] = table[slot];
  }
  return first;
}

/** Smooth normals, except across edges sharper than an angle (rad). */
function creased(geometry: THREE.BufferGeometry, angle: number): THREE.BufferGeometry {
  const g = geometry.index ? geometry.toNonIndexed() : geometry,
    p = g.attributes.position.array as Float32Array,
    n = p.length / 3,
    sharp = Math.cos(angle);
  const first = firstAt(p),
    next = new Int32Array(n).fill(-1),
    last = new Int32Array(n),
    face = new Float32Array(n),
    out = new Float32Array(3 * n);
  for (let i = 0; i < n; i += 3) {
    const a = 3 * i,
      ux = p[a + 3] - p[a],
      uy = p[a + 4] - p[a + 1],
      uz = p[a + 5] - p[a + 2],
      vx = p[a + 6] - p[a],
      vy = p[a + 7] - p[a + 1],
      vz = p[a + 8] - p[a + 2];
    const x = uy * vz - uz * vy,
      y = uz * vx - ux * vz,
      z = ux * vy - uy * vx,
      l = 1 / (Math.hypot(x, y, z) || 1);
    face.set([x * l, y * l, z * l], i);
  }
  for (let i = 0; i < n; i++) {
    if (first[i] !== i) next[last[first[i]]] = i;
    last[first[i]] = i;
  }
  for (let i = 0; i < n; i++) {
    const f = i - (i % 3),
      fx = face[f],
      fy = face[f + 1],
      fz = face[f + 2];
    let x = 0,
      y = 0,
      z = 0;
    for (let k = first[i]; k >= 0; k = next[k]) {
      const o = k - (k % 3);
      if (fx * face[o] + fy * face[o + 1] + fz * face[o + 2] <= sharp) continue;
      x += face[o];
      y += face[o + 1];
      z += face[o + 2];
    }
    const l = 1 / (Math.hypot(x, y, z) || 1);
    out[3 * i] = x * l;
    out[3 * i + 1] = y * l;
    out[3 * i + 2] = z * l;
  }
  g.setAttribute("normal", new THREE.BufferAttribute(out, 3));
  return g;
}

interface Station {
  x: number;
  y: number;
  low: number;
  high: number;
  n: number;
}

/** A hull of superellipse sections along x, closed at both ends. */
function lofted(stations: Station[], fully = 36): THREE.BufferGeometry {
  const around = parts(fully);
  const p: number[] = [],
    index: number[] = [],
    n = stations.length;
  stations.forEach((s, i) => {
    const power = 2 / s.n,
      middle = (s.low + s.high) / 2,
      half = (s.high - s.low) / 2;
    for (let k = 0; k < around; k++) {
      const a = (2 * Math.PI * (k + 0.5)) / around,
        c = Math.cos(a),
        d = Math.sin(a);
      p.push(s.x, s.y * Math.sign(c) * Math.abs(c) ** power, middle + half * Math.sign(d) * Math.abs(d) ** power);
      if (i) {
        const a0 = (i - 1) * around + k,
          a1 = (i - 1) * around + ((k + 1) % around),
          b0 = i * around + k,
          b1 = i * around + ((k + 1) % around);
        index.push(a0, a1, b1, a0, b1, b0);
      }
    }
  });
  for (const [i, turned] of [
    [0, true],
    [n - 1, false],
  ] as [number, boolean][]) {
    const s = stations[i],
      centre = p.length / 3;
    p.push(s.x, 0, (s.low + s.high) / 2);
    for (let k = 0; k < around; k++) {
      const a = i * around + k,
        b = i * around + ((k + 1) % around);
      index.push(...(turned ? [centre, b, a] : [centre, a, b]));
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
  geometry.setIndex(index);
  return creased(geometry, 0.6);
}

const round = (x: number, r: number, s = r): Station => ({ x, y: r, low: -s, high: s, n: 2 });

/** Adds stations where paint begins and ends, so that its edge is sharp. */
function cut(stations: Station[], edges: number[]): Station[] {
  const out: Station[] = [];
  stations.forEach((s, i) => {
    const before = stations[i - 1];
    if (before)
      for (const x of edges.filter((e) => e > before.x + 1e-6 && e < s.x - 1e-6).sort((a, b) => a - b)) {
        const f = (x - before.x) / (s.x - before.x),
          mix = (a: number, b: number) => a + f * (b - a);
        out.push({
          x,
          y: mix(before.y, s.y),
          low: mix(before.low, s.low),
          high: mix(before.high, s.high),
          n: mix(before.n, s.n),
        });
      }
    out.push(s);
  });
  return out;
}

/** Interpolates stations on a smooth curve (monotone cubic, so that nothing bulges out). */
function smooth(stations: Station[]): Station[] {
  if (stations.length < 3 || stations.length > 24) {
    const every = Math.max(1, Math.round(stations.length / Math.max(10, 48 * fineness)));
    return stations.filter((_, i) => i % every === 0 || i === stations.length - 1);
  }
  const keys = ["y", "low", "high", "n"] as const,
    n = stations.length,
    slopes = keys.map((k) => {
      const d = stations.slice(1).map((s, i) => (s[k] - stations[i][k]) / (s.x - stations[i].x));
      return stations.map((_, i) =>
        i === 0 ? d[0] : i === n - 1 ? d[n - 2] : d[i - 1] * d[i] <= 0 ? 0 : (2 * d[i - 1] * d[i]) / (d[i - 1] + d[i]),
      );
    });
  const out: Station[] = [];
  for (let i = 0; i + 1 < n; i++) {
    const a = stations[i],
      b = stations[i + 1],
      h = b.x - a.x,
      steps = parts(5, 1);
    for (let j = 0; j < steps; j++) {
      const t = j / steps,
        t2 = t * t,
        t3 = t2 * t;
      const at = (k: (typeof keys)[number], m: number) =>
        (2 * t3 - 3 * t2 + 1) * a[k] +
        (t3 - 2 * t2 + t) * h * slopes[m][i] +
        (3 * t2 - 2 * t3) * b[k] +
        (t3 - t2) * h * slopes[m][i + 1];
      out.push({ x: a.x + t * h, y: Math.max(0, at("y", 0)), low: at("low", 1), high: at("high", 2), n: at("n", 3) });
    }
  }
  out.push(stations[n - 1]);
  return out;
}

function capsule(x: number, y: number, z: number, edges: number[]): THREE.BufferGeometry {
  const r = Math.min(x, y, z) / 2,
    list: Station[] = [];
  for (let i = 0; i <= 12; i++) {
    const a = (Math.PI / 2) * (i / 12);
    list.push(round(-x / 2 + r - r * Math.cos(a), Math.max(r * Math.sin(a), 1e-5)));
  }
  for (let i = 12; i >= 0; i--) {
    const a = (Math.PI / 2) * (i / 12);
    list.push(round(x / 2 - r + r * Math.cos(a), Math.max(r * Math.sin(a), 1e-5)));
  }
  return lofted(cut(list, edges));
}

/** A cylinder along x with a small bevel. */
function cylinder(x: number, y: number, z: number, around = 32): THREE.BufferGeometry {
  const b = Math.min(0.12 * Math.min(y, z), 0.1 * x);
  return lofted(
    [
      round(-x / 2, y / 2 - b, z / 2 - b),
      round(-x / 2 + b, y / 2, z / 2),
      round(x / 2 - b, y / 2, z / 2),
      round(x / 2, y / 2 - b, z / 2 - b),
    ],
    around,
  );
}

function box(x: number, y: number, z: number): THREE.BufferGeometry {
  const b = 0.08 * Math.min(x, y, z),
    at = (s: number, inset: number): Station => ({
      x: s,
      y: y / 2 - inset,
      low: -z / 2 + inset,
      high: z / 2 - inset,
      n: 14,
    });
  return lofted([at(-x / 2, b), at(-x / 2 + b, 0), at(x / 2 - b, 0), at(x / 2, b)], 48);
}

/** A symmetric profile (NACA 00xx) from root to tip along z, its hinge at the origin. */
function foil(
  span: number,
  chord: number,
  tip: number,
  sweep: number,
  thickness: number,
  hinge: number,
): THREE.BufferGeometry {
  const p: number[] = [],
    index: number[] = [],
    around = 2 * parts(11, 4),
    rows = parts(8, 1);
  const half = (t: number) =>
    5 * (0.2969 * Math.sqrt(t) - 0.126 * t - 0.3516 * t * t + 0.2843 * t ** 3 - 0.1036 * t ** 4);
  for (let i = 0; i <= rows; i++) {
    const s = i / rows,
      edge = i === rows ? 0.55 : 1; // the tip is rounded off
    const c = (chord + (tip - chord) * s) * (i === rows ? 0.96 : 1),
      lead = hinge * chord - sweep * s,
      w = thickness * (c / chord) * edge;
    for (let k = 0; k < around; k++) {
      const a = (2 * Math.PI * k) / around,
        t = (1 - Math.cos(a)) / 2; // 0 ahead, 1 at the trailing edge
      p.push(lead - t * c, (a < Math.PI ? 1 : -1) * half(t) * w, s * span);
      if (i) {
        const a0 = (i - 1) * around + k,
          a1 = (i - 1) * around + ((k + 1) % around),
          b0 = i * around + k,
          b1 = i * around + ((k + 1) % around);
        index.push(a0, b1, a1, a0, b0, b1);
      }
    }
  }
  for (const [row, turned] of [
    [0, false],
    [rows, true],
  ] as [number, boolean][]) {
    const centre = p.length / 3,
      z = row ? span : 0;
    p.push((hinge - 0.5) * chord - (row ? sweep / 2 : 0), 0, z);
    for (let k = 0; k < around; k++) {
      const a = row * around + k,
        b = row * around + ((k + 1) % around);
      index.push(...(turned ? [centre, b, a] : [centre, a, b]));
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
  geometry.setIndex(index);
  return creased(geometry, 0.9);
}

/** Twisted blades about x with a hub; the duct does not turn and is a separate mesh. */
function screw(diameter: number, blades: number): THREE.BufferGeometry {
  const pieces: THREE.BufferGeometry[] = [],
    r = diameter / 2,
    rows = parts(7, 2);
  for (let b = 0; b < blades; b++) {
    const p: number[] = [],
      index: number[] = [];
    for (let i = 0; i <= rows; i++) {
      const s = i / rows,
        radius = r * (0.16 + 0.84 * s),
        pitch = Math.atan2(0.9 * r, 2.2 * radius); // nearly a helix
      const c =
        r *
        (blades > 3 ? 0.42 : 0.52) *
        Math.sqrt(Math.max(0.05, 1 - (2 * s - 1.05) ** 4)) *
        (0.55 + 0.45 * Math.sin(Math.PI * Math.min(1, s + 0.1)));
      for (const [u, side] of [
        [-0.5, 1],
        [0, 1.02],
        [0.5, 1],
        [0, -1.02],
      ] as [number, number][]) {
        const along = u * c * Math.sin(pitch),
          across = u * c * Math.cos(pitch),
          thick = (u === 0 ? side : 0) * 0.03 * r * (1.3 - s);
        const a = across / radius;
        p.push(along + thick * Math.cos(pitch), radius * Math.sin(a) - thick * Math.sin(pitch), radius * Math.cos(a));
      }
      if (i)
        for (let k = 0; k < 4; k++) {
          const a0 = 4 * (i - 1) + k,
            a1 = 4 * (i - 1) + ((k + 1) % 4);
          index.push(a0, a1, a1 + 4, a0, a1 + 4, a0 + 4);
        }
    }
    index.push(4 * rows, 4 * rows + 1, 4 * rows + 2, 4 * rows, 4 * rows + 2, 4 * rows + 3);
    const blade = new THREE.BufferGeometry();
    blade.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
    blade.setIndex(index);
    pieces.push(creased(blade, 1.2).rotateX((2 * Math.PI * b) / blades));
  }
  const hub: Station[] = [
    round(-0.42 * r, 0.02 * r),
    round(-0.36 * r, 0.1 * r),
    round(-0.2 * r, 0.17 * r),
    round(0.18 * r, 0.19 * r),
    round(0.24 * r, 0.17 * r),
  ];
  pieces.push(lofted(hub, 20));
  return mergeGeometries(pieces.map(bare))!;
}

/** A ring with a streamlined section about x, and three struts to the motor in its middle. */
function duct(diameter: number, length: number): THREE.BufferGeometry {
  const r = (1.06 * diameter) / 2,
    t = 0.07 * diameter,
    profile: THREE.Vector2[] = [];
  for (let i = 0; i <= 16; i++) {
    const a = (2 * Math.PI * i) / 16;
    profile.push(new THREE.Vector2(r + t / 2 + (t / 2) * Math.sin(a), (length / 2) * Math.cos(a)));
  }
  const pieces = [creased(new THREE.LatheGeometry(profile, parts(40, 10)).rotateZ(-Math.PI / 2), 1.2)];
  for (let k = 0; k < 3; k++) {
    const strut = cylinder(r, 0.09 * diameter, 0.05 * diameter, 10)
      .rotateY(Math.PI / 2)
      .translate(0, 0, r / 2)
      .rotateX((2 * Math.PI * k) / 3 + 0.5);
    pieces.push(strut.translate(0.3 * length, 0, 0));
  }
  pieces.push(
    lofted(
      [
        round(-0.1 * length, 0.1 * diameter),
        round(0.35 * length, 0.17 * diameter),
        round(0.6 * length, 0.15 * diameter),
        round(0.75 * length, 0.04 * diameter),
      ],
      20,
    ),
  );
  return mergeGeometries(pieces.map(bare))!;
}

/** The openings of a tunnel along x: a rim and the dark inside. */
function tunnel(diameter: number, length: number): { rim: THREE.BufferGeometry; inside: THREE.BufferGeometry } {
  const r = diameter / 2,
    rims: THREE.BufferGeometry[] = [],
    discs: THREE.BufferGeometry[] = [];
  for (const side of [-1, 1]) {
    rims.push(
      new THREE.TorusGeometry(r, 0.07 * r, 8, 36)
        .toNonIndexed()
        .rotateY(Math.PI / 2)
        .translate((side * length) / 2, 0, 0),
    );
    discs.push(
      new THREE.CircleGeometry(r, 32)
        .toNonIndexed()
        .rotateY((side * Math.PI) / 2)
        .translate(side * (length / 2 + 0.002 * r), 0, 0),
    );
    for (let k = 0; k < 4; k++)
      // the visible part of the screw and its guard
      rims.push(
        new THREE.BoxGeometry(0.05 * r, 1.9 * r, 0.07 * r)
          .toNonIndexed()
          .rotateX((k * Math.PI) / 4)
          .translate(side * (length / 2 + 0.004 * r), 0, 0),
      );
  }
  return { rim: mergeGeometries(rims.map(bare))!, inside: mergeGeometries(discs.map(bare))! };
}

/** Keeps only position and normal, so that pieces can be merged. */
function bare(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const g = geometry.index ? geometry.toNonIndexed() : geometry;
  for (const name of Object.keys(g.attributes)) if (name !== "position" && name !== "normal") g.deleteAttribute(name);
  if (!g.attributes.normal) g.computeVertexNormals();
  return g;
}

function poseMatrix(pose: SceneLook["pose"]): THREE.Matrix4 {
  const { position: p, orientation: q } = pose;
  return new THREE.Matrix4().compose(
    new THREE.Vector3(p.x, p.y, p.z),
    new THREE.Quaternion(q.x, q.y, q.z, q.w),
    new THREE.Vector3(1, 1, 1),
  );
}

function tint(geometry: THREE.BufferGeometry, colour: THREE.Color): THREE.BufferGeometry {
  const n = geometry.attributes.position.count,
    c = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) c.set([colour.r, colour.g, colour.b], 3 * i);
  geometry.setAttribute("color", new THREE.BufferAttribute(c, 3));
  return geometry;
}

/** Paints each triangle by its x in the body. */
function paint(geometry: THREE.BufferGeometry, bands: SceneLook[]): void {
  const p = geometry.attributes.position,
    c = geometry.attributes.color;
  for (let i = 0; i < p.count; i += 3) {
    const x = (p.getX(i) + p.getX(i + 1) + p.getX(i + 2)) / 3;
    for (const b of bands)
      if (x > b.size[0] && x < b.size[1]) {
        const k = colourOf(b);
        for (let j = 0; j < 3; j++) c.setXYZ(i + j, k.r, k.g, k.b);
      }
  }
}

const colourOf = (l: SceneLook) => new THREE.Color().setRGB(l.colour.r, l.colour.g, l.colour.b, THREE.SRGBColorSpace);

export interface Moving {
  look: SceneLook;
  geometry: THREE.BufferGeometry;
  base: THREE.Matrix4;
}

/** All meshes of one type. */
export interface Body {
  still: THREE.BufferGeometry | null;
  clear: { geometry: THREE.BufferGeometry; opacity: number } | null;
  glow: THREE.BufferGeometry | null;
  moving: Moving[];
  skin: { geometry: THREE.BufferGeometry } | null;
  files: { look: SceneLook; data: Uint8Array }[];
  /** positions of the screws, for their jets */
  jets: { look: SceneLook; base: THREE.Matrix4; diameter: number }[];
  /** m: from the origin to the farthest point */
  reach: number;
  box: THREE.Box3;
}

function pieceGeometry(l: SceneLook, edges: number[]): THREE.BufferGeometry | null {
  const s = l.size;
  switch (l.kind) {
    case SceneLook.BOX:
      return box(s[0], s[1], s[2]);
    case SceneLook.SPHERE:
      return bare(new THREE.SphereGeometry(Math.min(s[0], s[1], s[2]) / 2, parts(36, 8), parts(24, 6)));
    case SceneLook.CAPSULE:
      return capsule(s[0], s[1], s[2], edges);
    case SceneLook.CYLINDER:
      return cylinder(s[0], s[1], s[2]);
    case SceneLook.ELLIPSOID:
      return bare(new THREE.SphereGeometry(0.5, parts(40, 8), parts(24, 6)).rotateZ(Math.PI / 2)).scale(
        s[0],
        s[1],
        s[2],
      );
    case SceneLook.CONE:
      return bare(new THREE.ConeGeometry(0.5, 1, 32).rotateZ(-Math.PI / 2)).scale(s[0], s[1], s[2]);
    case SceneLook.LOFT: {
      const list: Station[] = [];
      for (let i = 0; i + 4 < s.length; i += 5)
        list.push({
          x: s[i],
          y: Math.max(s[i + 1], 1e-5),
          low: s[i + 2],
          high: s[i + 3] > s[i + 2] ? s[i + 3] : s[i + 2] + 1e-5,
          n: s[i + 4],
        });
      return lofted(cut(smooth(list), edges), list.some((q) => q.n > 2.5) ? 56 : 36);
    }
    case SceneLook.FOIL:
      return foil(s[0], s[1], s[2], s[3], s[4], s[5]);
    default:
      return null;
  }
}

function meshGeometry(mesh: SceneMesh): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(mesh.vertices), 3));
  if (mesh.colours?.length)
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(mesh.colours), 3));
  geometry.setIndex(Array.from(mesh.triangles));
  return geometry;
}

const dark = new THREE.Color(0x05080a);

/** Builds the meshes of a type: one of all fixed parts, one for each moving part. */
export function buildBody(looks: SceneLook[], meshes: SceneMesh[], fully: number, fine: boolean): Body {
  fineness = fully;
  const body: Body = {
    still: null,
    clear: null,
    glow: null,
    moving: [],
    skin: null,
    files: [],
    jets: [],
    reach: 0,
    box: new THREE.Box3(),
  };
  const still: THREE.BufferGeometry[] = [],
    clear: THREE.BufferGeometry[] = [],
    glow: THREE.BufferGeometry[] = [];
  const bands = looks.filter((l) => l.kind === SceneLook.BAND);
  let opacity = 1;
  const note = (g: THREE.BufferGeometry, matrix?: THREE.Matrix4) => {
    const whole = matrix ? g.clone().applyMatrix4(matrix) : g;
    whole.computeBoundingBox();
    const b = whole.boundingBox!;
    body.box.union(b);
    body.reach = Math.max(
      body.reach,
      Math.hypot(Math.max(-b.min.x, b.max.x), Math.max(-b.min.y, b.max.y), Math.max(-b.min.z, b.max.z)),
    );
  };
  for (const l of looks) {
    const base = poseMatrix(l.pose),
      colour = colourOf(l),
      s = l.size;
    if (l.kind === SceneLook.BAND) continue;
    if (l.kind === SceneLook.MESH || l.kind === SceneLook.SKIN) {
      const mesh = meshes[l.mesh];
      if (mesh?.format === "glb") {
        body.files.push({ look: l, data: new Uint8Array(mesh.data) });
        continue;
      }
      let g = meshGeometry(mesh);
      if (l.kind === SceneLook.SKIN) {
        g.computeVertexNormals();
        body.skin = { geometry: g };
        note(g);
        continue;
      }
      g = tint(bare(creased(g, 0.6)), colour)
        .scale(s[0], s[0], s[0])
        .applyMatrix4(base);
      still.push(g);
      note(g);
      continue;
    }
    if (l.kind === SceneLook.SCREW || l.kind === SceneLook.TUNNEL) {
      body.jets.push({ look: l, base, diameter: s[0] });
      if (l.kind === SceneLook.TUNNEL) {
        const { rim, inside } = tunnel(s[0], s[1]);
        still.push(tint(rim, colour).applyMatrix4(base), tint(inside, dark).applyMatrix4(base));
        continue;
      }
      if (s[2] > 0) still.push(tint(bare(duct(s[0], s[2])), colour).applyMatrix4(base));
      const g = tint(bare(screw(s[0], s[1])), s[2] > 0 ? colour.clone().lerp(new THREE.Color(0x9aa4ab), 0.35) : colour);
      note(g, base);
      if (l.actuator && fine) body.moving.push({ look: l, geometry: g, base });
      else still.push(g.applyMatrix4(base));
      continue;
    }
    const hull = l.kind === SceneLook.LOFT || l.kind === SceneLook.CAPSULE || l.kind === SceneLook.ELLIPSOID;
    const edges = hull ? bands.flatMap((b) => [b.size[0] - l.pose.position.x, b.size[1] - l.pose.position.x]) : [];
    const geometry = pieceGeometry(l, edges);
    if (!geometry) continue;
    const g = tint(bare(geometry), colour);
    if (l.kind === SceneLook.FOIL && l.actuator && fine) {
      note(g, base);
      body.moving.push({ look: l, geometry: g, base });
      continue;
    }
    g.applyMatrix4(base);
    if (hull) paint(g, bands);
    note(g);
    if (l.glows) glow.push(g);
    else if (l.colour.a < 0.99) (clear.push(g), (opacity = l.colour.a));
    else still.push(g);
  }
  if (still.length) body.still = indexed(mergeGeometries(still)!);
  if (clear.length) body.clear = { geometry: indexed(mergeGeometries(clear)!), opacity };
  if (glow.length) body.glow = indexed(mergeGeometries(glow)!);
  for (const moving of body.moving) moving.geometry = indexed(moving.geometry);
  return body;
}

/** Merges equal vertices, so that the graphics card transforms each of them once. */
function indexed(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const names = Object.keys(geometry.attributes),
    arrays = names.map((name) => geometry.attributes[name].array as Float32Array),
    n = geometry.attributes.position.count;
  const words = arrays.map((a) => new Int32Array(a.buffer, a.byteOffset, a.length)),
    size = 1 << Math.ceil(Math.log2(2 * n + 1)),
    table = new Int32Array(size).fill(-1);
  const index = new Uint32Array(n),
    kept = new Uint32Array(n);
  let count = 0;
  const alike = (i: number, j: number) =>
    words.every((w) => w[3 * i] === w[3 * j] && w[3 * i + 1] === w[3 * j + 1] && w[3 * i + 2] === w[3 * j + 2]);
  for (let i = 0; i < n; i++) {
    let h = 0;
    for (const w of words)
      h = Math.imul(
        Math.imul(Math.imul(h ^ w[3 * i], 0x9e3779b1) ^ w[3 * i + 1], 0x85ebca6b) ^ w[3 * i + 2],
        0xc2b2ae35,
      );
    let slot = (h ^ (h >>> 15)) & (size - 1);
    while (table[slot] >= 0 && !alike(kept[table[slot]], i)) slot = (slot + 1) & (size - 1);
    if (table[slot] < 0) {
      table[slot] = count;
      kept[count++] = i;
    }
    index[i] = table[slot];
  }
  const out = new THREE.BufferGeometry();
  names.forEach((name, k) => {
    const to = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) for (let d = 0; d < 3; d++) to[3 * i + d] = arrays[k][3 * kept[i] + d];
    out.setAttribute(name, new THREE.BufferAttribute(to, 3));
  });
  return out.setIndex(new THREE.BufferAttribute(index, 1));
}

/** A body that covers only a few pixels: an ellipsoid of its size, in the colour of its largest part. */
export function speckOf(fine: Body, looks: SceneLook[]): Body {
  const size = fine.box.isEmpty() ? new THREE.Vector3(0.3, 0.1, 0.1) : fine.box.getSize(new THREE.Vector3()),
    middle = fine.box.isEmpty() ? new THREE.Vector3() : fine.box.getCenter(new THREE.Vector3());
  const hull = looks.find((l) => l.kind !== SceneLook.BAND && l.colour.a > 0.5),
    colour = fine.skin?.geometry.attributes.color,
    c = new THREE.Color(0xc9d3da);
  if (colour) c.fromBufferAttribute(colour as THREE.BufferAttribute, colour.count >> 1);
  else if (hull) c.copy(colourOf(hull));
  const thin = Math.max(Math.min(size.y, size.z), 0.12 * size.x); // fins and masts make the box wider than the hull
  const still = indexed(
    tint(bare(new THREE.SphereGeometry(0.5, 8, 5).rotateZ(Math.PI / 2)), c)
      .scale(size.x, Math.min(size.y, 1.6 * thin), Math.min(size.z, 1.6 * thin))
      .translate(middle.x, middle.y, middle.z),
  );
  return {
    still,
    clear: null,
    glow: null,
    moving: [],
    skin: null,
    files: [],
    jets: [],
    reach: fine.reach,
    box: fine.box,
  };
}
