/** One vehicle in the sea: its hull from the scene, its moving parts, its ring and track. */
import * as THREE from "three";
import { trackLength, type Vehicle } from "../fleet";
import { FishSkin, Kind, liveryOf, place, shapeGeometry, tail, type Shape } from "./hulls";

export interface Joint {
  name: string;
  parent: string;
  child: string;
  kind: number;
  pose: Shape["pose"];
  axis: { x: number; y: number; z: number };
}

export class Craft {
  readonly group = new THREE.Group();
  readonly trackLine: THREE.Line;
  readonly size: number; // m, its greatest half length
  private frames = new Map<string, { group: THREE.Group; joint: Joint; rest: THREE.Quaternion }>();
  private skin: FishSkin | null = null;
  private screws: { object: THREE.Object3D; rate: number }[] = [];

  constructor(readonly vehicle: Vehicle, shapes: Shape[], joints: Joint[], meshes: any[], private finned: boolean) {
    const own = shapes.filter((s) => s.frame === vehicle.name || s.frame.startsWith(vehicle.name + "/"));
    const model = own[0]?.name ?? vehicle.model ?? "";
    vehicle.model = model;
    const livery = liveryOf(model);
    const hull = new THREE.MeshStandardMaterial({ color: livery.hull, roughness: 0.45, metalness: 0.05 });
    const trim = new THREE.MeshStandardMaterial({ color: livery.trim, roughness: 0.6, metalness: 0.1, side: THREE.DoubleSide });
    this.addJoints(joints);
    const links = joints.filter((j) => j.child.startsWith(vehicle.name + "/link"));
    if (links.length) this.addSkin(links, hull, trim);
    let half = 0.25;
    for (const s of own) {
      if (!(Math.max(...(s.size as number[])) > 0) && s.kind !== Kind.Mesh) continue;
      half = Math.max(half, this.addShape(s, meshes, hull, trim, own.length === 1));
    }
    this.size = this.skin ? this.skin.length / 2 : half;
    this.group.userData.vehicle = vehicle.name;
    const line = new THREE.BufferGeometry();
    line.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * trackLength), 3));
    this.trackLine = new THREE.Line(line, new THREE.LineBasicMaterial({ color: vehicle.colour, transparent: true, opacity: 0.85 }));
    this.trackLine.frustumCulled = false;
  }

  private addJoints(joints: Joint[]): void {
    for (const joint of joints) {
      const parent = joint.parent === this.vehicle.name ? this.group : this.frames.get(joint.parent)?.group;
      if (!parent) continue;
      const group = new THREE.Group();
      place(group, joint.pose);
      parent.add(group);
      this.frames.set(joint.child, { group, joint, rest: group.quaternion.clone() });
    }
  }

  private addSkin(links: Joint[], hull: THREE.Material, trim: THREE.Material): void {
    const lengths = links.slice(1).map((j) => Math.hypot(j.pose.position.x, j.pose.position.y, j.pose.position.z));
    lengths.push(0.9 * (lengths[lengths.length - 1] ?? 0.05));
    this.skin = new FishSkin(lengths, 0.85 * lengths.reduce((a, b) => a + b, 0), hull, trim);
    this.group.add(this.skin.mesh);
    const eye = new THREE.MeshStandardMaterial({ color: 0x0a0a0a, roughness: 0.2 }), r = 0.02 * this.skin.length;
    for (const side of [-1, 1]) {
      const ball = new THREE.Mesh(new THREE.SphereGeometry(r, 12, 8), eye);
      ball.position.set(0.33 * this.skin.length, side * 0.055 * this.skin.length, 0.03 * this.skin.length);
      this.group.add(ball);
    }
  }

  private addShape(s: Shape, meshes: any[], hull: THREE.Material, trim: THREE.Material, alone: boolean): number {
    const geometry = shapeGeometry(s, meshes, true), frame = this.frames.get(s.frame);
    const given = s.colour.a > 0 && !(Math.abs(s.colour.r - 0.55) < 0.01 && Math.abs(s.colour.g - 0.5) < 0.01);
    const material = given ? new THREE.MeshStandardMaterial({ color: new THREE.Color(s.colour.r, s.colour.g, s.colour.b), roughness: 0.5 }) : frame ? trim : hull;
    const mesh = new THREE.Mesh(geometry, material);
    place(mesh, s.pose);
    (frame?.group ?? this.group).add(mesh);
    geometry.computeBoundingSphere();
    const half = (geometry.boundingSphere?.radius ?? 0.2) + Math.hypot(s.pose.position.x, s.pose.position.y, s.pose.position.z);
    if (alone && this.finned && (s.kind === Kind.Ellipsoid || s.kind === Kind.Capsule || (s.kind === Kind.Box && (s.size[0] as number) > 2 * (s.size[1] as number)))) {
      const radius = s.kind === Kind.Capsule ? (s.size[0] as number) : s.kind === Kind.Box ? (s.size[1] as number) / 2 : (s.size[1] as number);
      const stern = tail(2 * half, 0.8 * radius, trim);
      this.group.add(stern.group);
      this.screws.push({ object: stern.propeller, rate: 0 });
    }
    if (/buoy/i.test(s.name)) this.addMast(s.size[0] as number, trim);
    return half;
  }

  private addMast(radius: number, trim: THREE.Material): void {
    const mast = new THREE.Mesh(new THREE.CylinderGeometry(0.04 * radius, 0.04 * radius, 2.4 * radius, 8).rotateX(Math.PI / 2), trim);
    mast.position.z = 1.9 * radius;
    const lamp = new THREE.Mesh(new THREE.SphereGeometry(0.13 * radius, 12, 8), new THREE.MeshBasicMaterial({ color: 0xfff3b0 }));
    lamp.position.z = 3.1 * radius;
    this.group.add(mast, lamp);
  }

  /** /NAME/joints: fins deflect, the fish's spine bends. */
  takeJoints(names: string[], angles: ArrayLike<number>): void {
    if (this.skin) {
      const chain: number[] = [];
      names.forEach((name, i) => {
        const m = /^joint(\d+)$/.exec(name.replace(/^.*\//, ""));
        if (m) chain[Number(m[1]) - 1] = angles[i];
      });
      this.skin.bend(chain);
      return;
    }
    names.forEach((name, i) => {
      for (const { group, joint, rest } of this.frames.values())
        if (joint.name === name || joint.name.endsWith("/" + name)) {
          const axis = new THREE.Vector3(joint.axis.x, joint.axis.y, joint.axis.z);
          group.quaternion.copy(rest).multiply(new THREE.Quaternion().setFromAxisAngle(axis, angles[i]));
        }
    });
  }

  /** Propellers turn at the rate of their actuators (rad/s), slowed so that the eye can follow. */
  takeActuators(names: string[], values: ArrayLike<number>): void {
    const rates = names.map((name, i) => (/prop|thrust|motor|shaft/i.test(name) ? values[i] : NaN)).filter((v) => !Number.isNaN(v));
    for (const s of this.screws) s.rate = rates.length ? Math.max(-25, Math.min(25, rates[0])) : 0;
  }

  update(dt: number): void {
    const { p, q } = this.vehicle;
    this.group.position.set(p[0], p[1], p[2]);
    this.group.quaternion.set(q[0], q[1], q[2], q[3]);
    for (const s of this.screws) s.object.rotation.x += s.rate * dt;
  }

  /** The track as one strip, oldest first. */
  updateTrack(): void {
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
    this.group.removeFromParent();
    this.trackLine.removeFromParent();
    this.trackLine.geometry.dispose();
    this.group.traverse((o) => (o as THREE.Mesh).geometry?.dispose());
  }
}
