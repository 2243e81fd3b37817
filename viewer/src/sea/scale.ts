/** What gives scale and direction: names of things, a plumb line, a scale bar, an arrow to what is out of view, a small map. */
import * as THREE from "three";
import { make, sharp } from "../dom";
import type { Fleet, Vehicle } from "../fleet";
import { fixed } from "../series";
import type { Things } from "./things";
import { toScene } from "./views";

const namesMost = 12;

/** 1, 2 or 5 times a power of ten, not above a value. */
export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value)),
    lead = value / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export class Scale {
  readonly plumb: THREE.LineSegments;
  private pool: HTMLElement[] = [];
  private used = 0;
  private bar = make("div", { id: "scale", role: "img" });
  private arrow = make("button", { id: "away" });
  private inset = make("canvas", { id: "inset", role: "img" });
  private caption = "";

  /** `holder`: in the background; `view`: takes the arrow and the map. */
  constructor(
    private holder: HTMLElement,
    view: HTMLElement,
    private fleet: Fleet,
    onReturn: () => void,
  ) {
    this.plumb = new THREE.LineSegments(
      new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(12), 3)),
      new THREE.LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.55, fog: false, depthWrite: false }),
    );
    this.plumb.frustumCulled = false;
    this.arrow.hidden = this.inset.hidden = true;
    this.arrow.onclick = onReturn;
    this.arrow.setAttribute("aria-label", "Back to the vehicle");
    this.arrow.title = "The vehicle is out of view: go back to it";
    view.append(this.bar, this.arrow, this.inset);
  }

  private begin(): void {
    this.used = 0;
  }

  /** A word at a point of the scene. */
  private word(text: string, at: THREE.Vector3, camera: THREE.Camera, size: THREE.Vector2, kind = ""): void {
    const p = at.clone().project(camera);
    if (p.z > 1 || Math.abs(p.x) > 0.98 || Math.abs(p.y) > 0.96) return;
    let label = this.pool[this.used++];
    if (!label) this.holder.append((label = this.pool[this.used - 1] = make("div", { class: "thing" })));
    label.hidden = false;
    label.className = `thing ${kind}`;
    label.style.transform = `translate(${(((p.x + 1) / 2) * size.x).toFixed(0)}px, ${(((1 - p.y) / 2) * size.y).toFixed(0)}px)`;
    if (label.textContent !== text) label.textContent = text;
  }

  /** The names of walls and obstacles; that of a wall is where it is nearest to what is looked at. */
  private names(things: Things, camera: THREE.Camera, target: THREE.Vector3, size: THREE.Vector2): void {
    const near = [...things.list].sort((a, b) => a.at.distanceTo(target) - b.at.distanceTo(target));
    for (const t of near.slice(0, namesMost)) {
      const at = t.at.clone();
      if (t.normal) at.copy(target).addScaledVector(t.normal, t.at.clone().sub(target).dot(t.normal));
      else at.y += Math.min(t.reach, 3);
      this.word(t.name, at, camera, size);
    }
  }

  /** From the vehicle up to the surface and down to the bottom, with both distances. */
  private drop(v: Vehicle | undefined, half: number, things: Things, camera: THREE.Camera, size: THREE.Vector2): void {
    this.plumb.visible = !!v;
    if (!v) return;
    const p = toScene(v.p),
      ground = things.groundAt(v.p[0], v.p[1]),
      foot = Number.isFinite(ground) ? ground : p.y,
      line = this.plumb.geometry.attributes.position as THREE.BufferAttribute,
      gap = 0.25 * half;
    line.setXYZ(0, p.x, Math.min(0, p.y + gap), p.z);
    line.setXYZ(1, p.x, 0, p.z);
    line.setXYZ(2, p.x, Math.max(foot, p.y - gap), p.z);
    line.setXYZ(3, p.x, foot, p.z);
    line.needsUpdate = true;
    const reach = 0.35 * camera.position.distanceTo(p); // the words stay near the vehicle
    if (-p.y > 1.5 * half)
      this.word(
        `${fixed(-p.y, 1)} m deep`,
        new THREE.Vector3(p.x, Math.min(-0.02, p.y + Math.min(-p.y / 2, reach)), p.z),
        camera,
        size,
        "plumb",
      );
    if (Number.isFinite(ground) && p.y - ground > 0.3 * half)
      this.word(
        `${fixed(p.y - ground, 1)} m above the bottom`,
        new THREE.Vector3(p.x, p.y - Math.min((p.y - ground) / 2, reach), p.z),
        camera,
        size,
        "plumb",
      );
  }

  private measure(camera: THREE.PerspectiveCamera, far: number, height: number, things: Things, contour: number): void {
    const perMetre = height / 2 / Math.tan((camera.fov * Math.PI) / 360) / Math.max(far, 0.05),
      length = roundDown(170 / perMetre),
      under =
        things.gridDepth !== null
          ? ` · grid ${things.gridStep} m at ${things.gridDepth} m depth`
          : things.map
            ? ` · grid 10 m${things.level ? "" : `, contours ${+contour.toPrecision(2)} m`}`
            : "",
      text = `${+length.toPrecision(1)} m${under}`;
    this.bar.style.setProperty("--w", `${(length * perMetre).toFixed(0)}px`);
    if (text === this.caption) return;
    this.caption = this.bar.textContent = text;
    this.bar.setAttribute("aria-label", `Scale: ${text}`);
  }

  /** At the edge of the view, towards the selected vehicle. */
  private point(v: Vehicle | undefined, camera: THREE.Camera, size: THREE.Vector2): void {
    const q = v && toScene(v.p).applyMatrix4(camera.matrixWorldInverse),
      p = v && toScene(v.p).project(camera),
      inside = !p || !q || (q.z < 0 && Math.abs(p.x) < 0.97 && Math.abs(p.y) < 0.95);
    this.arrow.hidden = inside;
    if (inside || !v) return;
    const angle = Math.atan2(q.y, q.x),
      reach =
        1 / Math.max(Math.abs(Math.cos(angle)) / (size.x / 2 - 44), Math.abs(Math.sin(angle)) / (size.y / 2 - 44));
    this.arrow.style.left = `${(size.x / 2 + reach * Math.cos(angle)).toFixed(0)}px`;
    this.arrow.style.top = `${(size.y / 2 - reach * Math.sin(angle)).toFixed(0)}px`;
    this.arrow.style.setProperty("--turn", `${(-angle * 180) / Math.PI}deg`);
    this.arrow.style.setProperty("--c", v.colour);
    if (this.arrow.textContent !== v.name) {
      this.arrow.textContent = v.name;
      this.arrow.setAttribute("aria-label", `Back to ${v.name}`);
      this.arrow.title = `${v.name} is out of view: go back to it`;
    }
  }

  /** All vehicles from above, north up, where one of several is followed. */
  private map(selected: string | null, shown: boolean): void {
    const list = [...this.fleet.vehicles.values()];
    this.inset.hidden = !shown || list.length < 2;
    if (this.inset.hidden) return;
    this.inset.setAttribute("aria-label", `Map of ${list.length} vehicles, north up`);
    const high = 92,
      c = sharp(this.inset, high),
      w = this.inset.clientWidth,
      [xs, ys] = [list.map((v) => v.p[0]), list.map((v) => v.p[1])],
      middle = [xs, ys].map((n) => (Math.min(...n) + Math.max(...n)) / 2),
      span = Math.max(
        (Math.max(...xs) - Math.min(...xs)) / (w - 30),
        (Math.max(...ys) - Math.min(...ys)) / (high - 38),
        0.02,
      ),
      at = (v: Vehicle) => [w / 2 + (v.p[0] - middle[0]) / span, (high - 14) / 2 - (v.p[1] - middle[1]) / span];
    for (const v of list) {
      const [x, y] = at(v),
        own = v.name === selected;
      c.strokeStyle = c.fillStyle = v.colour;
      c.lineWidth = 1.5;
      c.beginPath();
      c.arc(x, y, own ? 4 : 2.5, 0, 7);
      c.fill();
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(x + 9 * Math.sin(v.heading), y - 9 * Math.cos(v.heading));
      c.stroke();
      if (!own) continue;
      c.strokeStyle = "#fff";
      c.beginPath();
      c.arc(x, y, 7, 0, 7);
      c.stroke();
    }
    const length = roundDown(40 * span);
    c.fillStyle = "#cfe4ee";
    c.fillRect(8, high - 7, length / span, 2);
    c.font = "10px system-ui, sans-serif";
    c.fillText(`${+length.toPrecision(1)} m`, 12 + length / span, high - 4);
    c.textAlign = "right";
    c.fillText("N ↑", w - 6, high - 4);
    c.textAlign = "left";
  }

  draw(
    things: Things,
    camera: THREE.PerspectiveCamera,
    target: THREE.Vector3,
    size: THREE.Vector2,
    v: Vehicle | undefined,
    half: number,
    shown: { names: boolean; plumb: boolean; pointer: boolean; map: boolean; contour: number },
  ): void {
    this.begin();
    if (shown.plumb) this.drop(v, half, things, camera, size);
    else this.plumb.visible = false;
    if (shown.names) this.names(things, camera, target, size);
    for (let i = this.used; i < this.pool.length; i++) this.pool[i].hidden = true;
    this.measure(camera, camera.position.distanceTo(target), size.y, things, shown.contour);
    this.point(shown.pointer ? v : undefined, camera, size);
    this.map(v?.name ?? null, shown.map);
  }
}
