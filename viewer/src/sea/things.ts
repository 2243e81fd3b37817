/** Walls, obstacles, bottoms and pools of the scene, and the depth grid without a bottom. */
import * as THREE from "three";
import { SceneShape, type Scene, type SceneHeightmap } from "../messages";
import { contourFor, groundMaterial, heightmapMesh, shared } from "./ground";
import { place, shapeGeometry } from "./hulls";

/** Something with a name: a wall, a column, a wreck. */
export interface Thing {
  name: string;
  at: THREE.Vector3; // axes of the scene
  reach: number; // m: half its size
  normal: THREE.Vector3 | null; // of a wall, into the water
}

export interface Pool {
  name: string;
  box: THREE.Box3; // axes of the scene; its top is the surface
}

const sides = ["south", "north", "west", "east", "floor"];

/** The pools among the walls: NAME-south … NAME-floor. */
function poolsOf(shapes: SceneShape[]): Pool[] {
  const walls = new Map(shapes.filter((s) => s.kind === SceneShape.PLANE).map((s) => [s.name, s.pose.position]));
  return [...walls.keys()]
    .filter((n) => n.endsWith("-floor"))
    .map((n) => n.slice(0, -6))
    .filter((name) => sides.every((side) => walls.has(`${name}-${side}`)))
    .map((name) => {
      const [south, north, west, east, floor] = sides.map((side) => walls.get(`${name}-${side}`)!);
      return {
        name,
        box: new THREE.Box3(new THREE.Vector3(west.x, floor.z, -north.y), new THREE.Vector3(east.x, 0, -south.y)),
      };
    });
}

/** Lines of a grid on a horizontal plane: metres when near, tens and hundreds when far. */
function gridMaterial(tile: boolean): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: {
      colour: { value: new THREE.Color(tile ? 0x9fc6cf : 0xa8d8e8) },
      ground: { value: new THREE.Color(tile ? 0x6f9aa5 : 0x0a3c50) },
      strength: { value: tile ? 1 : 0.5 },
      base: { value: 1 },
      centre: { value: new THREE.Vector2() },
      far: { value: 200 },
    },
    transparent: true,
    depthWrite: tile,
    vertexShader:
      "varying vec3 at; void main() { vec4 p = modelMatrix * vec4(position, 1.0); at = p.xyz; gl_Position = projectionMatrix * viewMatrix * p; }",
    fragmentShader: /* glsl */ `
      uniform vec3 colour, ground;
      uniform float strength, base, far;
      uniform vec2 centre;
      varying vec3 at;
      float lines(float every) {
        vec2 u = at.xz / every, w = fwidth(u), d = abs(fract(u - 0.5) - 0.5);
        vec2 l = 1.0 - smoothstep(0.6 * w, 1.6 * w, d);
        return max(l.x, l.y) * (1.0 - smoothstep(0.12, 0.45, max(w.x, w.y)));
      }
      void main() {
        float fade = exp(-length(at.xz - centre) / far);
        float l = max(lines(10.0 * base), 0.45 * lines(base));
        ${
          tile
            ? "gl_FragColor = vec4(mix(ground, colour, 0.25 + 0.75 * l) * (0.75 + 0.25 * fade), 1.0);"
            : "gl_FragColor = vec4(mix(ground, colour, l), fade * (0.35 + 0.65 * l) * strength);"
        }
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
  });
}

export class Things {
  readonly group = new THREE.Group(); // in the root: east, north, up
  readonly floor = new THREE.Group(); // in the scene's axes
  list: Thing[] = [];
  pools: Pool[] = [];
  map: SceneHeightmap | null = null;
  /** the bottom has one depth */
  level = false;
  /** depth (m) of the grid; null: there is a bottom, or a pool */
  gridDepth: number | null = null;
  gridStep = 1; // m
  private grid: THREE.Mesh;
  private bottoms: THREE.Mesh[] = [];

  constructor() {
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(8000, 8000).rotateX(-Math.PI / 2), gridMaterial(false));
    this.grid.frustumCulled = false;
    this.grid.renderOrder = -1;
    this.floor.add(this.grid);
  }

  take(m: Scene): void {
    this.group.clear();
    this.floor.clear();
    this.floor.add(this.grid);
    this.list = [];
    this.bottoms = [];
    this.map = m.heightmaps[0] ?? null;
    this.level = !!this.map?.heights.every((h) => Math.abs(h - this.map!.heights[0]) < 0.05);
    for (const map of m.heightmaps) {
      const bottom = heightmapMesh(map, new THREE.Color(0xc9bc9a));
      this.group.add(bottom);
      this.bottoms.push(bottom);
      shared.contour.value = contourFor(map.heights);
    }
    this.pools = poolsOf(m.shapes.filter((s) => s.frame === "map"));
    for (const pool of this.pools) this.build(pool);
    for (const s of m.shapes) if (s.frame === "map") this.add(s, m);
  }

  private add(s: SceneShape, m: Scene): void {
    if (this.pools.some((p) => sides.some((side) => s.name === `${p.name}-${side}`))) return;
    const wall = s.kind === SceneShape.PLANE,
      geometry = shapeGeometry(s, m.meshes),
      mesh = new THREE.Mesh(geometry, groundMaterial(new THREE.Color(s.colour.r, s.colour.g, s.colour.b), false, wall));
    if (wall) {
      mesh.material.transparent = true;
      mesh.material.opacity = 0.9;
    }
    place(mesh, s.pose);
    this.group.add(mesh);
    geometry.computeBoundingSphere();
    const { position: p } = s.pose,
      normal = new THREE.Vector3(0, 0, 1).applyQuaternion(mesh.quaternion);
    this.list.push({
      name: s.name,
      at: new THREE.Vector3(p.x, p.z, -p.y),
      reach: geometry.boundingSphere?.radius ?? 0,
      normal: wall ? new THREE.Vector3(normal.x, normal.z, -normal.y) : null,
    });
  }

  /** A glass box with a tiled floor: its walls are seen from the inside only, so that the nearer ones hide nothing. */
  private build({ name, box }: Pool): void {
    const size = box.getSize(new THREE.Vector3()),
      centre = box.getCenter(new THREE.Vector3());
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(size.x, size.z).rotateX(-Math.PI / 2), gridMaterial(true));
    floor.position.set(centre.x, box.min.y, centre.z);
    const u = (floor.material as THREE.ShaderMaterial).uniforms,
      tile = Math.max(size.x, size.z) > 30 ? 1 : 0.5;
    u.base.value = tile;
    u.centre.value.set(centre.x, centre.z);
    u.far.value = 4 * Math.max(size.x, size.z);
    const rim = 0.06 * size.y + 0.02,
      walls = new THREE.Mesh(
        new THREE.BoxGeometry(size.x, size.y + rim, size.z),
        new THREE.MeshStandardMaterial({
          color: 0x7fb2c0,
          side: THREE.BackSide,
          roughness: 0.9,
          transparent: true,
          opacity: 0.85,
        }),
      );
    walls.position.set(centre.x, centre.y + rim / 2, centre.z);
    walls.material.depthWrite = false;
    walls.renderOrder = -2;
    const none = new THREE.MeshBasicMaterial({ visible: false });
    (walls as THREE.Mesh).material = [walls.material, walls.material, none, none, walls.material, walls.material];
    const edges = new THREE.LineSegments(
      new THREE.EdgesGeometry(new THREE.BoxGeometry(size.x, size.y + rim, size.z)),
      new THREE.LineBasicMaterial({ color: 0xd8f2f8, transparent: true, opacity: 0.8, fog: false }),
    );
    edges.position.copy(walls.position);
    this.floor.add(floor, walls, edges);
    this.list.push({
      name: `${name}: ${size.z.toFixed(1)} m × ${size.x.toFixed(1)} m × ${size.y.toFixed(1)} m`,
      at: new THREE.Vector3(centre.x, box.max.y + rim, box.min.z),
      reach: size.length() / 2,
      normal: null,
    });
  }

  /** Up of the ground (m) at east, north; NaN: none is known there. */
  groundAt(east: number, north: number): number {
    const pool = this.pools.find(
      (p) => p.box.min.x <= east && east <= p.box.max.x && p.box.min.z <= -north && -north <= p.box.max.z,
    );
    if (pool) return pool.box.min.y;
    if (!this.map) return NaN;
    const { x0, y0, dx, dy, columns, rows, heights } = this.map,
      x = Math.min(Math.max((east - x0) / dx, 0), columns - 1),
      y = Math.min(Math.max((north - y0) / dy, 0), rows - 1),
      i = Math.min(Math.floor(x), columns - 2),
      j = Math.min(Math.floor(y), rows - 2),
      f = x - i,
      g = y - j,
      at = (a: number, b: number) => heights[(j + b) * columns + i + a];
    return (1 - g) * ((1 - f) * at(0, 0) + f * at(1, 0)) + g * ((1 - f) * at(0, 1) + f * at(1, 1));
  }

  /** How far (m) one should see: to the relief below, and well towards the nearest thing. */
  sight(from: THREE.Vector3): number {
    const below = this.map && !this.level ? from.y - this.groundAt(from.x, -from.z) : 0,
      near = Math.min(...this.list.filter((t) => !t.normal).map((t) => t.at.distanceTo(from) - t.reach));
    return Math.max(below < 60 ? below : 0, near < 90 ? 0.6 * near : 0);
  }

  /** Points that belong into a view of everything. */
  *points(): Iterable<THREE.Vector3> {
    for (const { box } of this.pools) yield* [box.min, box.max];
    for (const t of this.list)
      if (!t.normal && t.reach < 200) for (const d of [-t.reach, t.reach]) yield t.at.clone().addScalar(d);
  }

  /** Places the depth grid below the vehicles, unless there is ground in sight. `size`: m, half a vehicle. */
  update(target: THREE.Vector3, far: number, deepest: number, size: number): void {
    const ground = this.groundAt(target.x, -target.z),
      seen = Number.isFinite(ground) && target.y - ground < Math.max(25, 2 * far);
    this.grid.visible = !seen && !this.pools.length;
    for (const bottom of this.bottoms) bottom.visible = seen || far > 400; // deeper than light reaches
    this.gridDepth = null;
    if (!this.grid.visible) return;
    const below = deepest + Math.max(2, 5 * size),
      round = below > 50 ? 10 : below > 8 ? 5 : 1;
    this.gridDepth = round * Math.ceil(below / round);
    this.gridStep = far > 250 ? 100 : far > 12 ? 10 : 1;
    this.grid.position.set(Math.round(target.x / 100) * 100, -this.gridDepth, Math.round(target.z / 100) * 100);
    const u = (this.grid.material as THREE.ShaderMaterial).uniforms;
    u.base.value = this.gridStep;
    u.centre.value.set(target.x, target.z);
    u.far.value = Math.max(25, 2.2 * far);
  }
}
