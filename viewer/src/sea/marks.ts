/** Optional layers for what is invisible: sonar fans, wavefronts, contact flashes, estimated poses. */
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type {
  CurrentField,
  Odometry,
  PoseWithCovarianceStamped,
  SceneMount,
  Tethers as TethersMessage,
} from "../messages";

/** The field of view of an instrument, out to its reading. */
export class Fan {
  readonly group = new THREE.Group();
  private hit: THREE.Line;
  private wedge: THREE.Mesh;

  constructor(
    readonly mount: SceneMount,
    colour: THREE.ColorRepresentation,
  ) {
    const r = mount.range_max,
      half = Math.max(mount.fov_horizontal, mount.fov_vertical, 0.02) / 2,
      n = 28;
    const flat = mount.fov_horizontal >= mount.fov_vertical; // a fan in the horizontal, else in the vertical plane
    const corner = (a: number, d: number) =>
      flat ? [d * Math.cos(a), d * Math.sin(a), 0] : [d * Math.cos(a), 0, d * Math.sin(a)];
    const p: number[] = [0, 0, 0],
      index: number[] = [],
      arc: number[] = [];
    for (let i = 0; i <= n; i++) {
      const a = -half + (2 * half * i) / n;
      p.push(...corner(a, r));
      arc.push(...corner(a, 1));
      if (i) index.push(0, i, i + 1);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
    geometry.setIndex(index);
    this.wedge = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({
        color: colour,
        transparent: true,
        opacity: 0.1,
        side: THREE.DoubleSide,
        depthWrite: false,
      }),
    );
    const line = new THREE.BufferGeometry();
    line.setAttribute("position", new THREE.Float32BufferAttribute(arc, 3));
    this.hit = new THREE.Line(line, new THREE.LineBasicMaterial({ color: 0xffe27a }));
    this.hit.visible = false;
    this.group.add(this.wedge, this.hit);
    const { position: o, orientation: q } = mount.pose;
    this.group.position.set(o.x, o.y, o.z);
    this.group.quaternion.set(q.x, q.y, q.z, q.w);
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const o of [this.wedge, this.hit]) {
      o.geometry.dispose();
      (o.material as THREE.Material).dispose();
    }
  }

  /** A range (m), or nothing. */
  takeRange(range: number): void {
    const seen = Number.isFinite(range) && range > 0 && range < 0.999 * this.mount.range_max;
    this.hit.visible = seen;
    if (seen) this.hit.scale.setScalar(range);
    this.wedge.scale.setScalar(seen ? range / this.mount.range_max : 1);
    (this.wedge.material as THREE.MeshBasicMaterial).opacity = seen ? 0.22 : 0.08;
  }
}

/** Sonar echoes in the world frame, coloured by range. */
export class Hits {
  readonly points: THREE.Points;
  private next = 0;
  private readonly most = 6000;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * this.most), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * this.most), 3));
    geometry.setDrawRange(0, 0);
    this.points = new THREE.Points(
      geometry,
      new THREE.PointsMaterial({
        size: 4,
        sizeAttenuation: false,
        vertexColors: true,
        transparent: true,
        opacity: 0.9,
        depthWrite: false,
        fog: false,
      }),
    );
    this.points.frustumCulled = false;
  }

  add(p: THREE.Vector3, share: number): void {
    const g = this.points.geometry,
      c = new THREE.Color().setHSL(0.13 + 0.45 * share, 0.95, 0.6);
    (g.attributes.position as THREE.BufferAttribute).setXYZ(this.next, p.x, p.y, p.z);
    (g.attributes.color as THREE.BufferAttribute).setXYZ(this.next, c.r, c.g, c.b);
    this.next = (this.next + 1) % this.most;
    g.setDrawRange(0, Math.max(g.drawRange.count, this.next));
    g.attributes.position.needsUpdate = g.attributes.color.needsUpdate = true;
  }

  clear(): void {
    this.next = 0;
    this.points.geometry.setDrawRange(0, 0);
  }
}

/** Wavefronts: thin shells that grow at the speed of sound. */
export class Wavefronts {
  readonly group = new THREE.Group();
  private fronts: { object: THREE.Group; time: number; reach: number }[] = [];
  private sphere = new THREE.SphereGeometry(1, 40, 24);
  private ring = new THREE.RingGeometry(0.985, 1, 96);

  emit(time: number, p: [number, number, number], colour: THREE.ColorRepresentation, reach = 400): void {
    if (this.fronts.length > 60) this.drop(0);
    const object = new THREE.Group();
    const shell = new THREE.Mesh(
      this.sphere,
      new THREE.MeshBasicMaterial({
        color: colour,
        transparent: true,
        opacity: 0.08,
        side: THREE.BackSide,
        depthWrite: false,
        fog: false,
      }),
    );
    const line = new THREE.Mesh(
      this.ring,
      new THREE.MeshBasicMaterial({
        color: colour,
        transparent: true,
        opacity: 0.9,
        side: THREE.DoubleSide,
        depthWrite: false,
        fog: false,
      }),
    );
    shell.renderOrder = line.renderOrder = 6;
    object.add(shell, line);
    object.position.set(...p);
    this.group.add(object);
    this.fronts.push({ object, time, reach });
  }

  private drop(i: number): void {
    const [front] = this.fronts.splice(i, 1);
    front.object.removeFromParent();
    front.object.traverse((o) => ((o as THREE.Mesh).material as THREE.Material)?.dispose());
  }

  update(time: number, speed: number): void {
    for (let i = this.fronts.length - 1; i >= 0; i--) {
      const f = this.fronts[i],
        r = (time - f.time) * speed;
      if (r > f.reach || r < -speed) {
        this.drop(i);
        continue;
      }
      f.object.scale.setScalar(Math.max(r, 0.01));
      const fade = 1 - Math.max(0, r) / f.reach;
      f.object.children.forEach(
        (o, k) => (((o as THREE.Mesh).material as THREE.MeshBasicMaterial).opacity = (k ? 0.85 : 0.1) * fade),
      );
    }
  }

  clear(): void {
    while (this.fronts.length) this.drop(0);
  }
}

/** A contact: a ring that flares and fades. */
export class Flashes {
  readonly group = new THREE.Group();
  private list: { mesh: THREE.Mesh; left: number }[] = [];

  flash(p: [number, number, number], size: number): void {
    const mesh = new THREE.Mesh(
      new THREE.SphereGeometry(1, 20, 14),
      new THREE.MeshBasicMaterial({ color: 0xff3b30, transparent: true, opacity: 0.6, depthWrite: false }),
    );
    mesh.position.set(...p);
    mesh.scale.setScalar(size);
    this.group.add(mesh);
    this.list.push({ mesh, left: 0.8 });
  }

  update(dt: number): void {
    for (let i = this.list.length - 1; i >= 0; i--) {
      const f = this.list[i];
      f.left -= dt;
      (f.mesh.material as THREE.MeshBasicMaterial).opacity = Math.max(0, 0.7 * f.left);
      f.mesh.scale.multiplyScalar(1 + dt);
      if (f.left <= 0) {
        f.mesh.removeFromParent();
        this.list.splice(i, 1);
      }
    }
  }
}

/** The estimated pose of a vehicle: a wire body and the ellipsoid of one standard deviation. */
export class Ghost {
  readonly group = new THREE.Group();
  private ellipsoid: THREE.Mesh;

  constructor(colour: THREE.ColorRepresentation, size: number) {
    const body = new THREE.Mesh(
      new THREE.SphereGeometry(1, 12, 8).scale(size, 0.3 * size, 0.3 * size),
      new THREE.MeshBasicMaterial({ color: colour, wireframe: true, transparent: true, opacity: 0.5 }),
    );
    this.ellipsoid = new THREE.Mesh(
      new THREE.SphereGeometry(1, 24, 16),
      new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.12, depthWrite: false }),
    );
    this.group.add(body, this.ellipsoid);
  }

  take(m: Odometry | PoseWithCovarianceStamped): void {
    const o = m.pose.pose.position,
      q = m.pose.pose.orientation,
      c = m.pose.covariance;
    this.group.position.set(o.x, o.y, o.z);
    if (q.w || q.x || q.y || q.z) this.group.children[0].quaternion.set(q.x, q.y, q.z, q.w);
    const known = c[0] > 0 && c[7] > 0;
    this.ellipsoid.visible = known;
    if (known)
      this.ellipsoid.scale.set(Math.sqrt(c[0]), Math.sqrt(c[7]), Math.max(0.05, Math.sqrt(Math.max(c[14], 0))));
  }
}

/** The current around the vehicles (fathom_msgs/CurrentField): arrows on a grid, with length proportional to speed. */
export class Arrows {
  readonly group = new THREE.Group();
  private mesh: THREE.InstancedMesh | null = null;
  /** m/s east, north, up in the middle of the grid */
  readonly middle = new THREE.Vector3();

  take(m: CurrentField): void {
    const n = m.columns * m.rows * m.layers,
      v = m.velocity;
    if (!this.mesh || this.mesh.instanceMatrix.count < n) {
      this.mesh?.removeFromParent();
      this.mesh?.dispose();
      const shaft = new THREE.CylinderGeometry(0.018, 0.018, 0.72, 6).translate(0, 0.36, 0),
        head = new THREE.ConeGeometry(0.07, 0.28, 10).translate(0, 0.86, 0);
      this.mesh = new THREE.InstancedMesh(
        mergeGeometries([shaft, head])!,
        new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.75, depthWrite: false }),
        n,
      );
      this.mesh.frustumCulled = false;
      this.group.add(this.mesh);
    }
    let most = 1e-6;
    for (let i = 0; i < n; i++) most = Math.max(most, Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
    const matrix = new THREE.Matrix4(),
      turn = new THREE.Quaternion(),
      y = new THREE.Vector3(0, 1, 0),
      way = new THREE.Vector3(),
      colour = new THREE.Color();
    const unit = 0.8 * Math.min(m.dx, m.dy);
    for (let k = 0, i = 0; k < m.layers; k++)
      for (let r = 0; r < m.rows; r++)
        for (let c = 0; c < m.columns; c++, i++) {
          way.set(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
          const speed = way.length(),
            length = Math.max(1e-6, (unit * speed) / most);
          turn.setFromUnitVectors(y, speed > 1e-9 ? way.divideScalar(speed) : y);
          matrix.compose(
            new THREE.Vector3(m.x0 + c * m.dx, m.y0 + r * m.dy, m.z0 + k * m.dz),
            turn,
            new THREE.Vector3(length, length, length),
          );
          this.mesh.setMatrixAt(i, matrix);
          this.mesh.setColorAt(i, colour.setHSL(0.55 - 0.42 * (speed / most), 0.9, 0.66));
        }
    this.mesh.count = n;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    const half =
      3 * ((Math.floor(m.layers / 2) * m.rows + Math.floor(m.rows / 2)) * m.columns + Math.floor(m.columns / 2));
    this.middle.set(v[half], v[half + 1], v[half + 2]);
  }
}

/** Tethers (fathom_msgs/Tethers), coloured from grey (slack) to red (taut). */
export class Tethers {
  readonly group = new THREE.Group();
  private mesh: THREE.InstancedMesh | null = null;

  take(m: TethersMessage): void {
    const p = m.points;
    let pieces = 0;
    for (const n of m.counts) pieces += n - 1;
    if (!this.mesh || this.mesh.instanceMatrix.count < pieces) {
      this.mesh?.removeFromParent();
      this.mesh?.dispose();
      this.mesh = new THREE.InstancedMesh(
        new THREE.CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0),
        new THREE.MeshStandardMaterial({ roughness: 0.7, emissive: 0x5a4a20 }),
        pieces,
      );
      this.mesh.frustumCulled = false;
      this.group.add(this.mesh);
    }
    const a = new THREE.Vector3(),
      b = new THREE.Vector3(),
      y = new THREE.Vector3(0, 1, 0),
      turn = new THREE.Quaternion(),
      matrix = new THREE.Matrix4(),
      colour = new THREE.Color();
    let at = 0,
      i = 0;
    m.counts.forEach((n: number, k: number) => {
      const tension = Math.max(0, m.tensions[k]),
        taut = tension / (tension + 30),
        r = Math.max(0.018, m.diameters[k]);
      for (let j = 0; j < n; j++, at += 3) {
        b.set(p[at], p[at + 1], p[at + 2]);
        if (j) {
          const way = b.clone().sub(a),
            length = Math.max(1e-6, way.length());
          turn.setFromUnitVectors(y, way.divideScalar(length));
          this.mesh!.setMatrixAt(i, matrix.compose(a, turn, new THREE.Vector3(r, length, r)));
          this.mesh!.setColorAt(i++, colour.setRGB(0.95, 0.75 - 0.55 * taut, 0.25 - 0.15 * taut));
        }
        a.copy(b);
      }
    });
    this.mesh.count = i;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}
