/** Vehicle names, and rings around vehicles that are too small to see. */
import type * as THREE from "three";
import type { Craft } from "./craft";

const most = 40;

interface Row {
  craft: Craft;
  x: number;
  y: number;
  far: number;
}

export class Labels {
  private pool: HTMLElement[] = [];
  private rows: Row[] = [];
  private count = 0;

  constructor(private holder: HTMLElement) {}

  /** `hidden`: vehicles whose name is not shown. */
  draw(
    crafts: Iterable<Craft>,
    camera: THREE.PerspectiveCamera,
    width: number,
    height: number,
    selected: string | null,
    hidden: string | null,
    all: boolean,
  ): void {
    this.count = 0;
    for (const craft of crafts)
      if (craft.vehicle.name !== hidden && (all || craft.vehicle.name === selected))
        this.project(craft, camera, width, height, selected);
    const taken: { x: number; y: number; w: number }[] = [];
    while (this.pool.length < this.count) this.pool.push(this.make());
    for (let i = 0; i < this.pool.length; i++) {
      if (i >= this.count) this.pool[i].hidden = true;
      else this.put(this.pool[i], this.rows[i], this.rows[i].craft.vehicle.name === selected, width, taken);
    }
  }

  /** Projects a vehicle to the screen; keeps the nearest ones in order, the selected one first. */
  private project(
    craft: Craft,
    camera: THREE.PerspectiveCamera,
    width: number,
    height: number,
    selected: string | null,
  ): void {
    const view = camera.matrixWorldInverse.elements,
      lens = camera.projectionMatrix.elements,
      p = craft.vehicle.p,
      x = p[0],
      y = p[2],
      z = -p[1];
    const ahead = -(view[2] * x + view[6] * y + view[10] * z + view[14]),
      far = craft.vehicle.name === selected ? 0 : ahead;
    if (ahead < 0.02 || (this.count === most && far >= this.rows[most - 1].far)) return;
    const right = (lens[0] * (view[0] * x + view[4] * y + view[8] * z + view[12])) / ahead,
      high = (lens[5] * (view[1] * x + view[5] * y + view[9] * z + view[13])) / ahead;
    if (Math.abs(right) > 1.05 || Math.abs(high) > 1.05) return;
    let i = this.count < most ? this.count++ : most - 1;
    const row = (this.rows[i] ??= { craft, x: 0, y: 0, far: 0 });
    for (; i > 0 && this.rows[i - 1].far > far; i--) this.rows[i] = this.rows[i - 1];
    this.rows[i] = row;
    row.craft = craft;
    row.x = ((right + 1) / 2) * width;
    row.y = ((1 - high) / 2) * height;
    row.far = far;
  }

  private make(): HTMLElement {
    const label = document.createElement("div");
    label.className = "label";
    label.append(document.createElement("i"), document.createElement("span"));
    this.holder.append(label);
    return label;
  }

  private put(
    label: HTMLElement,
    { craft, x, y }: Row,
    on: boolean,
    width: number,
    taken: { x: number; y: number; w: number }[],
  ): void {
    const { name, colour } = craft.vehicle,
      text = label.lastChild as HTMLElement,
      w = 12 + 7 * name.length;
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    label.style.setProperty("--c", colour);
    label.classList.toggle("small", craft.across < 24);
    label.classList.toggle("on", on);
    let up = Math.max(24, Math.min(140, 0.225 * craft.across));
    const left = x + 12 + w > width ? x - 12 - w : x + 12; // on the other side at the edge
    const free = () => !taken.some((t) => Math.abs(t.y - (y - up)) < 18 && left < t.x + t.w && t.x < left + w);
    for (let i = 0; i < 4 && !free(); i++) up += 18;
    label.hidden = !on && !free(); // hidden if it would overlap another
    if (label.hidden) return;
    taken.push({ x: left, y: y - up, w });
    text.style.top = `${-up}px`;
    text.style.left = left < x ? "auto" : "12px";
    text.style.right = left < x ? "12px" : "auto";
    if (text.textContent !== name) text.textContent = name;
  }
}
