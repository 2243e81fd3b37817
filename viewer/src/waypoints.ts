/** Waypoints over the sea, with the current leg. Those of the selected vehicle can be moved with the mouse or the arrow
 * keys. */
import * as THREE from "three";
import type { Fleet } from "./fleet";
import type { Link } from "./link";
import type { Values } from "./messages";
import type { Waypoint, Waypoints as WaypointLists } from "./protocol";
import type { Sea } from "./sea/sea";

const space = "http://www.w3.org/2000/svg";
function shape<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const e = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export class Waypoints {
  lists = new Map<string, Waypoint[]>();
  /** called with every error */
  onFail: (error: Error) => void = () => {};
  private watchers = new Set<() => void>();
  private handles: SVGGElement[] = [];
  private shown = ""; // the vehicle of the handles
  private leg: { from: [number, number, number]; to: [number, number, number] } | null = null;
  private legOf = "";
  private legStop: () => void = () => {};
  private dragged = -1;

  constructor(
    private layer: SVGSVGElement,
    private link: Link,
    private sea: Sea,
    private fleet: Fleet,
  ) {
    link.listen<WaypointLists>("/waypoints", (m) => {
      const held = this.dragged >= 0 ? this.of(this.shown)[this.dragged] : undefined;
      this.lists = new Map(Object.entries(m.vehicles));
      if (held && this.of(this.shown)[this.dragged]) this.of(this.shown)[this.dragged] = held; // it is being dragged
      for (const tell of this.watchers) tell();
    });
  }

  watch(tell: () => void): () => void {
    this.watchers.add(tell);
    return () => this.watchers.delete(tell);
  }

  clear(): void {
    this.lists.clear();
    this.leg = null;
    this.legOf = this.shown = "";
  }

  of(vehicle: string | null): Waypoint[] {
    return this.lists.get(vehicle ?? "") ?? [];
  }

  private ask(request: object): void {
    this.link.call("/waypoint", request).catch(this.onFail);
  }
  add(vehicle: string, position: number[]): void {
    this.ask({ vehicle, action: "add", position });
  }
  move(vehicle: string, index: number, position: number[]): void {
    const { speed, hold } = this.of(vehicle)[index];
    this.ask({ vehicle, action: "move", index, position, speed, hold });
  }
  removeAll(vehicle: string): void {
    this.ask({ vehicle, action: "clear" });
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  private project([n, e, d]: number[]): [number, number] | null {
    const p = new THREE.Vector3(e, -d, -n).project(this.sea.camera);
    return p.z > 1
      ? null
      : [((p.x + 1) / 2) * this.sea.canvas.clientWidth, ((1 - p.y) / 2) * this.sea.canvas.clientHeight];
  }

  private listenLeg(vehicle: string): void {
    this.legStop();
    this.leg = null;
    this.legOf = vehicle;
    this.legStop = this.link.listen<Values>(`${this.link.home(vehicle)}/waypoints`, (m) => {
      const at = (name: string) => m.values[m.names.indexOf(name)];
      const place = (end: string): [number, number, number] => [
        at(`${end}.north`),
        at(`${end}.east`),
        at(`${end}.depth`),
      ];
      this.leg = m.names.includes("to.north") ? { from: place("from"), to: place("to") } : null;
    });
  }

  private build(vehicle: string, colour: string): void {
    this.shown = vehicle;
    this.layer.replaceChildren();
    this.layer.append(
      shape("polyline", { class: "route", stroke: colour }),
      shape("line", { class: "leg", stroke: colour }),
    );
    this.handles = this.of(vehicle).map((_, i) => {
      const name = document.createElementNS(space, "text");
      name.textContent = String(i + 1);
      const g = shape(
        "g",
        { class: "waypoint", role: "button", tabindex: "0" },
        shape("circle", { r: "16", class: "grasp" }),
        shape("circle", { r: "9", stroke: colour }),
        name,
      );
      this.wire(g, vehicle, i);
      this.layer.append(g);
      return g;
    });
  }

  private wire(g: SVGGElement, vehicle: string, i: number): void {
    const to = (e: PointerEvent) => {
      const w = this.of(vehicle)[i],
        p = w && this.sea.pointAt(e.clientX, e.clientY, w.position[2]);
      if (p) w.position = [p[0], p[1], w.position[2]];
    };
    g.addEventListener("pointerdown", (e) => {
      this.dragged = i;
      g.setPointerCapture(e.pointerId);
      e.stopPropagation();
    });
    g.addEventListener("pointermove", (e) => this.dragged === i && to(e));
    g.addEventListener("pointerup", (e) => {
      if (this.dragged !== i) return;
      to(e);
      this.dragged = -1;
      this.move(vehicle, i, this.of(vehicle)[i].position);
    });
    g.addEventListener("pointercancel", () => (this.dragged = -1));
    g.addEventListener("keydown", (e) => {
      const steps: Record<string, [number, number, number]> = {
        ArrowUp: [1, 0, 0],
        ArrowDown: [-1, 0, 0],
        ArrowRight: [0, 1, 0],
        ArrowLeft: [0, -1, 0],
        PageUp: [0, 0, -0.5],
        PageDown: [0, 0, 0.5],
      };
      const step = steps[e.key],
        w = this.of(vehicle)[i];
      if (!step || !w || e.altKey) return;
      e.preventDefault();
      e.stopPropagation();
      w.position = w.position.map((v, k) => v + step[k]) as [number, number, number];
      this.move(vehicle, i, w.position);
    });
  }

  /** Once per frame. */
  draw(): void {
    const v = this.fleet.vehicles.get(this.sea.selected ?? "");
    this.layer.style.display = v ? "" : "none";
    if (!v) return;
    if (this.legOf !== v.name) this.listenLeg(v.name);
    const list = this.of(v.name);
    if (this.shown !== v.name || this.handles.length !== list.length) this.build(v.name, v.colour); // otherwise the focus stays
    const points: string[] = [];
    this.handles.forEach((g, i) => {
      const w = list[i],
        p = w && this.project(w.position);
      g.style.display = p ? "" : "none";
      if (!p) return;
      points.push(`${p[0].toFixed(1)},${p[1].toFixed(1)}`);
      g.setAttribute("transform", `translate(${p[0].toFixed(1)} ${p[1].toFixed(1)})`);
      const [n, e, d] = w.position.map((x) => x.toFixed(1));
      g.setAttribute("aria-label", `Waypoint ${i + 1} of ${v.name}: north ${n} m, east ${e} m, depth ${d} m`);
      g.classList.toggle("next", !!this.leg && Math.hypot(...w.position.map((x, k) => x - this.leg!.to[k])) < 0.01);
    });
    this.layer.querySelector(".route")?.setAttribute("points", points.join(" "));
    const to = this.leg && this.project(this.leg.to),
      from = to && this.project([v.p[1], v.p[0], -v.p[2]]),
      line = this.layer.querySelector<SVGLineElement>(".leg");
    if (line) line.style.display = to && from ? "" : "none";
    if (to && from)
      [
        ["x1", from[0]],
        ["y1", from[1]],
        ["x2", to[0]],
        ["y2", to[1]],
      ].forEach(([name, x]) => line?.setAttribute(name as string, (x as number).toFixed(1)));
  }
}
