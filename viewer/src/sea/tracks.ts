/** The tracks of all vehicles in one set of lines. Each new row of segments replaces the oldest one. */
import * as THREE from "three";
import { trackLength, type Vehicle } from "../fleet";

const segmentsMost = 120_000,
  rowsLeast = 60;

export class Tracks {
  readonly lines: THREE.LineSegments;
  private vehicles: Vehicle[] = [];
  private rows = 0;
  private next = 0;
  private last = new Float32Array(0); // where the last row ended
  private stale = true;

  constructor() {
    this.lines = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({
        vertexColors: true,
        transparent: true,
        fog: false,
        toneMapped: false,
        depthWrite: false,
      }),
    );
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 6; // over the surface: tracks are visible from above too
  }

  /** Vehicles were added or removed, or have other colours. */
  change(): void {
    this.stale = true;
  }

  private rebuild(vehicles: Iterable<Vehicle>): void {
    this.stale = false;
    this.vehicles = [...vehicles];
    const n = Math.max(1, this.vehicles.length),
      rows = (this.rows = Math.min(trackLength, Math.max(rowsLeast, Math.floor(segmentsMost / n)))),
      colour = new THREE.Color();
    this.lines.geometry.dispose();
    const g = (this.lines.geometry = new THREE.BufferGeometry()),
      colours = new Uint8Array(8 * n * rows);
    g.setAttribute(
      "position",
      new THREE.BufferAttribute(new Float32Array(6 * n * rows), 3).setUsage(THREE.DynamicDrawUsage),
    );
    g.setAttribute("color", new THREE.BufferAttribute(colours, 4, true));
    this.last = new Float32Array(3 * n);
    this.vehicles.forEach((v, i) => {
      colour.set(v.colour);
      const bytes = [colour.r, colour.g, colour.b, 0.85].map((x) => Math.round(255 * x));
      for (let r = 0; r < rows; r++) colours.set([...bytes, ...bytes], 8 * (r * n + i));
      v.trackPoint(v.trackCount - 1, this.last, 3 * i);
    });
    this.refill(n);
  }

  /** Draws all points of the vehicles' tracks. */
  private refill(n: number): void {
    const p = this.lines.geometry.attributes.position.array as Float32Array,
      most = Math.max(0, ...this.vehicles.map((v) => v.trackCount)),
      rows = Math.min(this.rows, Math.max(0, most - 1));
    this.vehicles.forEach((v, i) => {
      for (let r = 0; r < rows; r++) {
        const k = v.trackCount - rows + r,
          at = 6 * (r * n + i); // the newest row is the last one for all
        v.trackPoint(Math.max(0, k - 1), p, at);
        v.trackPoint(Math.max(0, k), p, at + 3);
      }
    });
    this.next = rows % this.rows;
    this.lines.geometry.setDrawRange(0, 2 * n * rows);
  }

  /** Each vehicle has a new point. */
  add(vehicles: Map<string, Vehicle>): void {
    if (this.stale || this.vehicles.length !== vehicles.size) return this.rebuild(vehicles.values());
    const a = this.lines.geometry.attributes.position as THREE.BufferAttribute,
      p = a.array as Float32Array,
      n = this.vehicles.length,
      from = 6 * n * this.next;
    this.vehicles.forEach((v, i) => {
      const at = from + 6 * i,
        l = 3 * i;
      p.set(this.last.subarray(l, l + 3), at);
      v.trackPoint(v.trackCount - 1, this.last, l);
      if (Math.abs(p[at] - this.last[l]) + Math.abs(p[at + 1] - this.last[l + 1]) > 50)
        p.set(this.last.subarray(l, l + 3), at); // it was moved to another place
      p.set(this.last.subarray(l, l + 3), at + 3);
    });
    a.addUpdateRange(from, 6 * n);
    a.needsUpdate = true;
    this.next = (this.next + 1) % this.rows;
    this.lines.geometry.setDrawRange(
      0,
      Math.max(this.lines.geometry.drawRange.count, 2 * n * (this.next || this.rows)),
    );
  }
}
