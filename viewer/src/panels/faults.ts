/** Faults of the parts of a vehicle, to be switched on and off. */
import { make } from "../dom";
import type { Detail } from "./detail";

export function faults(d: Detail): void {
  const rows = [...d.params.all.values()].filter(
    (p) => p.live && p.path.startsWith(`/${d.vehicle}/`) && (/^fault/.test(p.text) || /\/fault$/.test(p.path)),
  );
  const parts = new Map<string, typeof rows>();
  for (const p of rows) {
    const part = p.path.split("/").slice(2, -1).join("/");
    if (!parts.has(part)) parts.set(part, []);
    parts.get(part)!.push(p);
  }
  for (const [part, list] of parts) {
    const line = make("div", { class: "line" }, make("span", { class: "path" }, part));
    for (const p of list) {
      const kind = p.path.slice(p.path.lastIndexOf("/") + 1),
        on = kind === "efficiency" ? Number(p.value) < 1 : Number(p.value) !== 0;
      const button = make(
        "button",
        {
          "aria-pressed": String(on),
          "aria-label": `${part} ${kind === "efficiency" ? "dead" : kind}`,
          title: p.text,
        },
        kind === "efficiency" ? "dead" : kind,
      );
      button.onclick = () => {
        const now = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(now));
        d.params.set(p.path, kind === "efficiency" ? (now ? 0 : 1) : now ? 1 : 0);
      };
      d.stops.push(
        d.params.watch(p.path, () => {
          const now = kind === "efficiency" ? Number(p.value) < 1 : Number(p.value) !== 0;
          button.setAttribute("aria-pressed", String(now));
        }),
      );
      line.append(button);
    }
    d.body.append(make("div", { class: "param" }, line));
  }
  if (!parts.size)
    d.body.append(make("p", { class: "quiet" }, "No faults can be set: no part supports them, or d is a recording."));
}
