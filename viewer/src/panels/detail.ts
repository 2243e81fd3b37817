/** Details of one vehicle, in tabs: in the right panel or in separate windows. */
import { Difference, isSecond, twinOf, type State } from "../compare";
import { make, save } from "../dom";
import { colourOf, eulerOf, type Fleet } from "../fleet";
import type { Channel, Link } from "../link";
import type { Params } from "../params";
import { faults } from "./faults";
import { orders } from "./orders";
import { paramTab, pinned } from "./tuning";
import { csvOf, Plot } from "../plots";
import { degrees, fixed, headingText, numbersOf, Series, shown } from "../series";
import { measuredColour, type Overlays } from "../overlay";
import type { Waypoints } from "../waypoints";
import type { NoseCamera } from "./nosecam";
import { drawPlanes } from "./planes";
import type { Actuators } from "../actuators";
import type { Odometry, Values } from "../messages";
import type { Clients } from "../protocol";
import { isPicture, rankOf, senseFor, type Owner } from "./senses";

export const tabs = ["Overview", "Plots", "Senses", "Params", "Orders", "Faults"] as const;
export type Tab = (typeof tabs)[number];

export class Detail {
  tab: Tab = "Overview";
  knots = false;
  readonly stops: (() => void)[] = [];
  readonly draws: (() => void)[] = [];
  private plots: Plot[] = [];
  private odom: Odometry | null = null;
  readonly series = {
    roll: new Series(),
    pitch: new Series(),
    yaw: new Series(),
    depth: new Series(),
    speed: new Series(),
    wantDepth: new Series(),
    wantYaw: new Series(),
    wantSpeed: new Series(),
  };
  private difference = new Difference();
  private extra: { topic: string; path: string; data: Series; unit: string }[] = [];
  private odomStop: () => void = () => {};
  private home = ""; // of the vehicle's topics
  filter = "";

  constructor(
    readonly body: HTMLElement,
    readonly link: Link,
    readonly fleet: Fleet,
    readonly params: Params,
    readonly waypoints: Waypoints,
    readonly camera: NoseCamera,
    readonly overlays: Overlays,
    readonly actuatorsOf: Actuators,
    /** m: half length of a vehicle */
    readonly sizeOf: (vehicle: string) => number,
    public vehicle: string | null = null,
  ) {}

  /** Shows another vehicle or another tab. */
  open(vehicle: string | null, tab: Tab = this.tab): void {
    const home = vehicle ? this.link.home(vehicle) : "";
    if (vehicle !== this.vehicle || home !== this.home) {
      for (const s of Object.values(this.series)) s.times.length = s.values.length = 0;
      this.difference.clear();
      this.extra = [];
      this.odomStop();
      this.odomStop = vehicle ? this.listenOdom(vehicle) : () => {};
    }
    this.vehicle = vehicle;
    this.home = home;
    this.tab = tab;
    this.build();
  }

  close(): void {
    this.odomStop();
    this.reset();
  }

  private listenOdom(name: string): () => void {
    const a = this.link.listen(`${this.link.home(name)}/odom`, (m: Odometry, time) => {
      this.odom = m;
      const q = m.pose.pose.orientation,
        [roll, pitch, heading] = eulerOf([q.x, q.y, q.z, q.w]);
      this.series.speed.add(time, m.twist.twist.linear.x);
      this.series.roll.add(time, roll * degrees);
      this.series.pitch.add(time, pitch * degrees);
      this.series.yaw.add(time, heading * degrees);
      this.series.depth.add(time, -m.pose.pose.position.z);
    });
    const b = this.link.listen(`${this.link.home(name)}/autopilot`, (m: Values, time) => {
      const find = (n: string) => m.values[m.names.indexOf(n)];
      this.series.wantDepth.add(time, find("depth.demand"));
      this.series.wantYaw.add(time, find("heading.demand") * degrees);
      this.series.wantSpeed.add(time, find("speed.demand"));
    });
    const c = isSecond(name) ? () => {} : this.compare(name);
    const d = this.listenSetpoints(name);
    return () => (a(), b(), c(), d());
  }

  /** If no autopilot publishes its demands, plots the setpoints of the controllers; for equal names that of the last part. */
  private listenSetpoints(name: string): () => void {
    const home = this.link.home(name);
    return this.link.listen(`${home}/setpoints`, (m: Values, time) => {
      if ([...this.link.channels.values()].some((c) => c.topic === `${home}/autopilot`)) return;
      const find = (...names: string[]) =>
        m.values[m.names.map((n) => names.includes(n.split("/").pop()!)).lastIndexOf(true)] ?? NaN;
      this.series.wantDepth.add(time, find("depth"));
      this.series.wantYaw.add(time, find("heading", "bearing") * degrees);
      this.series.wantSpeed.add(time, find("speed"));
    });
  }

  /** The same vehicle in the other recording, if any. */
  private compare(name: string): () => void {
    const state = (m: Odometry, time: number): State => {
      const o = m.pose.pose.position,
        q = m.pose.pose.orientation;
      return { time, values: [o.y, o.x, -o.z, eulerOf([q.x, q.y, q.z, q.w])[2], m.twist.twist.linear.x] };
    };
    const a = this.link.listen(`${this.link.home(twinOf(name))}/odom`, (m: Odometry, time) =>
      this.difference.takeSecond(state(m, time)),
    );
    const b = this.link.listen(`${this.link.home(name)}/odom`, (m: Odometry, time) =>
      this.difference.takeFirst(state(m, time)),
    );
    return () => (a(), b());
  }

  private measuredPlots(all: boolean): void {
    const o = this.overlays.of(this.vehicle),
      holder = make("div");
    if (!o) return;
    const d = o.differences,
      rows: [string, string, Series][] = [
        ["distance between model and measured", "m", d.distance],
        ["depth difference", "m", d.depth],
        ["heading difference", "°", d.heading],
        ["speed difference", "m/s", d.speed],
      ];
    this.body.append(make("h2", {}, "Model minus measured"), holder);
    for (const [title, unit, data] of all ? rows : rows.slice(0, 1))
      this.addPlot(new Plot(title, unit, [{ label: "", colour: measuredColour, data }], 110), holder);
  }

  private differencePlots(all: boolean): void {
    if (isSecond(this.vehicle!) || !this.fleet.vehicles.has(twinOf(this.vehicle!))) return;
    const d = this.difference,
      colour = this.fleet.vehicles.get(this.vehicle!)?.colour ?? "#4cc3ff",
      holder = make("div");
    const rows: [string, string, Series][] = [
      ["distance", "m", d.apart],
      ["depth difference", "m", d.depth],
      ["heading difference", "°", d.heading],
      ["speed difference", "m/s", d.speed],
    ];
    this.body.append(make("h2", {}, `${twinOf(this.vehicle!)} less ${this.vehicle}`), holder);
    for (const [title, unit, data] of all ? rows : rows.slice(0, 1))
      this.addPlot(new Plot(title, unit, [{ label: "", colour, data }], 110), holder);
  }

  private reset(): void {
    this.stops.forEach((stop) => stop());
    this.plots.forEach((plot) => plot.dispose());
    this.stops.length = this.draws.length = 0;
    this.plots = [];
    this.body.replaceChildren();
  }

  build(): void {
    this.reset();
    if (!this.vehicle) {
      this.body.append(make("p", { class: "quiet" }, "Click a vehicle in the sea or in the list."));
      return;
    }
    ({
      Overview: () => this.overview(),
      Plots: () => this.plotTab(),
      Senses: () => this.senses(),
      Params: () => paramTab(this),
      Orders: () => orders(this),
      Faults: () => faults(this),
    })[this.tab]();
  }

  /** A few times per second. */
  update(): void {
    for (const draw of this.draws) draw();
  }

  private channels(): Channel[] {
    return [...this.link.channels.values()].filter((c) => c.topic.startsWith(`${this.link.home(this.vehicle!)}/`));
  }

  // --- overview ------------------------------------------------------------------------------------------------------

  private overview(): void {
    const tiles = make("div", { class: "tiles" }),
      cells = new Map<string, HTMLElement>();
    for (const name of ["depth", "heading", "speed", "roll", "pitch", "north, east"]) {
      const value = make("b", {}, "–");
      cells.set(name, value);
      tiles.append(make("div", { class: "tile" }, make("span", {}, name), value));
    }
    const nose = make("canvas", { class: "inset", role: "img", "aria-label": `Nose camera of ${this.vehicle}` });
    this.body.append(tiles, nose);
    this.stops.push(this.camera.show(nose, this.vehicle!));
    this.client();
    const put = (name: string, text: string) => (cells.get(name)!.textContent = text);
    this.draws.push(() => {
      const v = this.fleet.vehicles.get(this.vehicle!);
      if (!v) return;
      const speed = this.odom ? this.odom.twist.twist.linear.x : v.speed;
      const [roll, pitch, heading] = eulerOf(v.q); // the moment that is drawn, here and by the nose camera
      put("depth", shown(-v.p[2], "m"));
      put("heading", headingText(heading * degrees));
      put("speed", this.knots ? `${(speed / 0.514444).toFixed(2)} kn` : shown(speed, "m/s"));
      put("roll", `${fixed(roll * degrees, 1)}°`);
      put("pitch", `${fixed(pitch * degrees, 1)}°`);
      put("north, east", `${fixed(v.p[1], 1)}, ${fixed(v.p[0], 1)}`);
    });
    pinned(this);
    this.measuredPlots(false);
    this.differencePlots(false);
    this.fivePlots(false);
    const pictures = this.channels()
      .filter((c) => isPicture(c) && !c.topic.endsWith("/joints"))
      .sort((a, b) => rankOf(a) - rankOf(b))
      .slice(0, 2);
    for (const channel of pictures) this.addSense(channel);
    this.actuators();
  }

  /** The clients that control the vehicle, if the run is served to clients. */
  private client(): void {
    const line = make("p", { class: "quiet", "aria-label": "Client" });
    line.hidden = true;
    this.body.append(line);
    this.stops.push(
      this.link.listen("/clients", (m: Clients) => {
        const c = m.clients.find((one) => one.vehicle === this.vehicle);
        line.hidden = !c;
        if (c)
          line.textContent = `client ${c.id}${c.name ? ` ${c.name}` : ""} (${c.role}) at ${c.port ? `${c.address}:${c.port}` : "a local socket"}${c.connected ? "" : ", lost"}`;
      }),
    );
  }

  /** Title, unit, line and setpoint of the plots that every vehicle has. */
  trends(): [string, string, Series, Series | null][] {
    const s = this.series;
    return [
      ["depth", "m", s.depth, s.wantDepth],
      ["yaw", "°", s.yaw, s.wantYaw],
      ["forward speed", "m/s", s.speed, s.wantSpeed],
      ["pitch", "°", s.pitch, null],
      ["roll", "°", s.roll, null],
    ];
  }

  /** The plotted values at a time, as text; "": none is known. */
  valuesAt(time: number): string {
    return this.trends()
      .map(([title, unit, data]) => [title, unit, data.at(time)] as const)
      .filter(([, , value]) => Number.isFinite(value))
      .map(([title, unit, value]) => `${title} ${shown(value, unit)}`)
      .join(", ");
  }

  private fivePlots(all: boolean): void {
    const colour = this.fleet.vehicles.get(this.vehicle!)?.colour ?? "#4cc3ff";
    const holder = make("div");
    this.body.append(holder);
    for (const [title, unit, data, wanted] of all ? this.trends() : this.trends().slice(0, 3)) {
      const list = [{ label: "", colour, data }] as { label: string; colour: string; data: Series; dashed?: boolean }[];
      const measured = this.overlays.of(this.vehicle)?.lines[title];
      if (measured) list.push({ label: "measured", colour: measuredColour, data: measured });
      if (wanted) list.push({ label: "demand", colour: "#9fb4c2", data: wanted, dashed: true });
      this.addPlot(new Plot(title, unit, list, 140), holder);
    }
  }

  addPlot(plot: Plot, holder: HTMLElement): void {
    this.plots.push(plot);
    holder.append(plot.element);
    this.draws.push(() => plot.update(holder.clientWidth));
    plot.element.ondragover = (e) => e.preventDefault();
    plot.element.ondrop = (e) => {
      e.preventDefault();
      const field = JSON.parse(e.dataTransfer?.getData("text/plain") || "null");
      if (field?.topic) this.addLine(plot, field);
    };
  }

  /** Adds a field that was dropped on a plot as a line. */
  private addLine(plot: Plot, field: { topic: string; path: string }): void {
    const data = new Series();
    plot.add(`${field.topic} ${field.path}`, colourOf(plot.series.length + 2), data);
    this.stops.push(
      this.link.listen(field.topic, (m, time) => {
        const found = numbersOf(m).find((n) => n.path === field.path);
        if (found) data.add(time, found.value);
      }),
    );
  }

  private actuators(): void {
    const channel = this.link.byTopic.get(`${this.link.home(this.vehicle!)}/actuators`);
    if (channel) this.addSense(channel);
  }

  // --- plots ---------------------------------------------------------------------------------------------------------

  private plotTab(): void {
    const bar = make("div", { class: "controls", style: "grid-template-columns: 1fr auto; margin-bottom: 8px" });
    const find = make("input", { type: "search", placeholder: "Find channel or field", "aria-label": "Find channel" });
    const csv = make(
      "button",
      { "aria-label": "Save plots as CSV", title: "saves all plotted values to one file" },
      "CSV",
    );
    csv.onclick = () => save(`${this.vehicle}.csv`, new Blob([csvOf(this.plots)], { type: "text/csv" }));
    bar.append(find, csv);
    const tree = make("div", { class: "tree" });
    const holder = make("div");
    this.body.append(bar, tree, holder);
    const fill = () => {
      tree.replaceChildren();
      const word = find.value.toLowerCase();
      for (const channel of this.link.channels.values()) {
        const own = [this.link.home(this.vehicle!), `/overlay/${this.vehicle}`].some((home) =>
          channel.topic.startsWith(`${home}/`),
        );
        if ((!own && !word) || (word && !channel.topic.toLowerCase().includes(word))) continue;
        tree.append(this.branch(channel, holder));
        if (tree.children.length > 80) break;
      }
    };
    find.oninput = fill;
    fill();
    pinned(this);
    this.planes();
    for (const e of this.extra) this.addExtra(e, holder);
    this.measuredPlots(true);
    this.differencePlots(true);
    this.fivePlots(true);
  }

  /** The fields of a channel, taken from its next message. */
  private branch(channel: Channel, holder: HTMLElement): HTMLElement {
    const branch = make(
      "details",
      {},
      make(
        "summary",
        {},
        channel.topic,
        make("span", { class: "quiet" }, ` ${channel.schemaName.replace("/msg/", "/")}`),
      ),
    );
    branch.addEventListener("toggle", () => {
      if (!branch.open || branch.children.length > 1) return;
      const stop = this.link.listen(channel.topic, (m) => {
        if (branch.children.length > 1) return;
        for (const n of numbersOf(m)) {
          const b = make("button", { draggable: "true", title: "click for a new plot, or drag onto a plot" }, n.path);
          b.ondragstart = (e) =>
            e.dataTransfer?.setData("text/plain", JSON.stringify({ topic: channel.topic, path: n.path, unit: n.unit }));
          b.onclick = () => {
            const e = { topic: channel.topic, path: n.path, data: new Series(), unit: n.unit };
            this.extra.push(e);
            this.addExtra(e, holder);
          };
          branch.append(b);
        }
        setTimeout(() => stop());
      });
      this.stops.push(stop);
    });
    return branch;
  }

  private addExtra(e: { topic: string; path: string; data: Series; unit: string }, holder: HTMLElement): void {
    const plot = new Plot(`${e.topic} ${e.path}`, e.unit, [{ label: "", colour: "#ffb000", data: e.data }], 140, () => {
      this.extra = this.extra.filter((other) => other !== e);
      this.build();
    });
    this.addPlot(plot, holder);
    this.stops.push(
      this.link.listen(e.topic, (m, time) => {
        const found = numbersOf(m).find((n) => n.path === e.path);
        if (found) e.data.add(time, found.value);
      }),
    );
  }

  /** The track in the three coordinate planes, with the waypoints. */
  private planes(): void {
    const canvas = make("canvas", { class: "inset", role: "img", "aria-label": "Track in the three planes" });
    this.body.append(make("h2", {}, "Track in the three planes"), canvas);
    this.draws.push(() => {
      const v = this.fleet.vehicles.get(this.vehicle!);
      if (v)
        drawPlanes(
          canvas,
          v,
          this.waypoints.of(this.vehicle).map((w) => w.position),
          this.series.wantDepth.last,
          this.overlays.of(this.vehicle)?.track,
          measuredColour,
        );
    });
  }

  // --- senses --------------------------------------------------------------------------------------------------------

  private owner(): Owner {
    const colourOf = (name: string) => this.fleet.vehicles.get(name)?.colour ?? "#9fb4c2";
    return {
      vehicle: this.vehicle!,
      colour: colourOf(this.vehicle!),
      colourOf,
      has: (topic) => this.link.byTopic.has(topic),
      parameter: (path) => this.params.all.get(`/${this.vehicle}/${path}`)?.value,
      set: (path, value) => this.params.set(`/${this.vehicle}/${path}`, value),
    };
  }

  private addSense(channel: Channel): void {
    const sense = senseFor(channel, this.owner());
    const waiting = make("p", { class: "quiet" }, "waiting for data");
    sense.element.append(waiting);
    this.body.append(sense.element);
    for (const topic of [channel.topic, ...(sense.topics ?? [])])
      this.stops.push(this.link.listen(topic, (m, t) => (waiting.remove(), sense.take(m, t, topic))));
    this.draws.push(() => sense.draw());
  }

  private senses(): void {
    const channels = this.channels().filter(
      (c) => !/\/(odom|wrench|actuators)$/.test(c.topic) && !(c.topic.endsWith("/joints") && !this.isFish()),
    );
    const sounds = this.link.byTopic.get("/acoustics/emissions");
    if (sounds && this.hears()) channels.push(sounds);
    channels.sort((a, b) => rankOf(a) - rankOf(b));
    for (const channel of channels) this.addSense(channel);
    if (!channels.length) this.body.append(make("p", { class: "quiet" }, "This vehicle has no instruments."));
  }

  /** The joints of a fish are servos; those of other vehicles are fins. */
  private isFish(): boolean {
    return (
      [...this.params.all.keys()].some((path) => path.startsWith(`/${this.vehicle}/`) && path.includes("servo")) ||
      this.link.byTopic.has(`${this.link.home(this.vehicle!)}/fish-brain`)
    );
  }

  private hears(): boolean {
    return this.channels().some((c) => /modem|transponder|lbl|usbl|sbl|beacon|pinger|-head$/.test(c.topic));
  }
}
