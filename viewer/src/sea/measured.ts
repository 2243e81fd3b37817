/** A measured vehicle in the sea: the translucent hull of its model, and its track. */
import * as THREE from "three";
import { measuredColour, type Overlay } from "../overlay";

const one = new THREE.Vector3(1, 1, 1),
  place = new THREE.Vector3(),
  attitude = new THREE.Quaternion();

export interface Hull {
  geometry: THREE.BufferGeometry;
  base: THREE.Matrix4 | null;
}

export class Measured {
  readonly group = new THREE.Group();
  private body = new THREE.Group();
  private fill = new THREE.MeshBasicMaterial({
    color: measuredColour,
    transparent: true,
    opacity: 0.42,
    depthWrite: false,
    fog: false,
    toneMapped: false,
  });
  private edge = new THREE.LineBasicMaterial({
    color: measuredColour,
    transparent: true,
    opacity: 0.75,
    fog: false,
    toneMapped: false,
    depthWrite: false,
  });
  private lines: THREE.LineSegments;
  private drawn = -1; // version of the track

  constructor(
    readonly overlay: Overlay,
    hulls: Hull[],
  ) {
    for (const { geometry, base } of hulls) {
      const piece = new THREE.Group();
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 32), this.edge);
      piece.add(new THREE.Mesh(geometry, this.fill), edges);
      edges.renderOrder = 8;
      if (base) base.decompose(piece.position, piece.quaternion, piece.scale);
      this.body.add(piece);
    }
    this.body.matrixAutoUpdate = false;
    this.lines = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({
        color: measuredColour,
        transparent: true,
        opacity: 0.95,
        fog: false,
        toneMapped: false,
        depthWrite: false,
      }),
    );
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 7;
    for (const o of this.body.children) for (const c of o.children) c.renderOrder ||= 5;
    this.group.add(this.body, this.lines);
  }

  /** `now`: s of simulation; `at`: ms of the page's clock. */
  draw(now: number, at: number, tracked: boolean): void {
    const ghost = this.overlay.ghost;
    this.body.visible = !!ghost && this.overlay.fresh(now);
    this.lines.visible = tracked;
    if (ghost) {
      ghost.interpolate(at);
      const { p, q } = ghost;
      this.body.matrix.compose(place.set(p[0], p[1], p[2]), attitude.set(q[0], q[1], q[2], q[3]), one);
    }
    if (this.drawn === this.overlay.trackVersion) return;
    this.drawn = this.overlay.trackVersion;
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry().setAttribute(
      "position",
      new THREE.BufferAttribute(new Float32Array(this.overlay.track), 3),
    );
  }

  dispose(): void {
    this.group.removeFromParent();
    this.lines.geometry.dispose();
    for (const piece of this.body.children) (piece.children[1] as THREE.LineSegments).geometry.dispose();
    this.fill.dispose();
    this.edge.dispose();
  }
}
