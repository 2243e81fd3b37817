/** What else can be shown: other scenarios, and recordings to compare with the first one. */
import { by, make, toast } from "./dom";
import type { Link } from "./link";
import type { Recordings, Scenarios } from "./protocol";

export class Choices {
  private asked = false;
  private shelf: string[] = []; // recordings in the folder of the first one

  constructor(
    private link: Link,
    private ask: (service: string, request?: object) => void,
  ) {}

  /** The scenarios that can be loaded. */
  async scenarios(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    const answer = await this.link.call<Scenarios>("/scenarios").catch(() => null);
    if (!answer) {
      // the connection is closed; the next one advertises its services again
      this.asked = false;
      return;
    }
    const { scenarios } = answer;
    const box = by<HTMLSelectElement>("scenario");
    by("scenario-box").hidden = !scenarios.length;
    box.replaceChildren(
      make("option", { value: "" }, "choose …"),
      ...scenarios.map((s) => make("option", { value: s.name, title: s.title }, s.name)),
    );
    box.onchange = () => box.value && this.ask("/load", { name: box.value });
  }

  /** Recordings in the folder of the first one that can be compared with it. */
  async recordings(): Promise<void> {
    const answer = await this.link.call<Recordings>("/recordings").catch(() => null);
    if (!answer) return; // the connection is closed; the next one advertises its services again
    const { recordings } = answer,
      name = (path?: string) => path?.replace(/^.*\//, "") ?? "",
      meta = this.link.info?.metadata ?? {};
    this.shelf = recordings
      .map((r) => r.name)
      .filter((n) => n !== name(meta.file))
      .sort();
    const box = by<HTMLSelectElement>("compare");
    box.replaceChildren(
      make("option", { value: "" }, "none"),
      ...this.shelf.map((n) => make("option", { value: n }, n)),
    );
    if (meta.compare && !this.shelf.includes(name(meta.compare)))
      box.append(make("option", { value: "?" }, name(meta.compare)));
    box.value = !meta.compare ? "" : this.shelf.includes(name(meta.compare)) ? name(meta.compare) : "?";
    box.onchange = () =>
      box.value !== "?" &&
      this.link.call("/compare", { name: box.value }).catch((e: Error) => (toast(e.message, true), this.recordings()));
  }

  /** Compares the first recording with one dropped on the page, if the program can read it. */
  drop(e: DragEvent): void {
    const file = e.dataTransfer?.files[0];
    if (!file) return;
    e.preventDefault();
    if (this.shelf.includes(file.name)) this.ask("/compare", { name: file.name });
    else
      toast(
        this.link.has("/recordings")
          ? `copy ${file.name} into the folder of the first recording so that the program can read it`
          : "only a recording can be compared with another one: open it with fathom view LOG.mcap",
        true,
      );
  }
}
