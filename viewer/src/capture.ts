/** Pictures and films of the sea, saved by the browser. */
import { by, save, toast } from "./dom";
import type { Sea } from "./sea/sea";

export class Capture {
  private film: MediaRecorder | null = null;

  constructor(private sea: Sea) {}

  /** In full resolution, however coarse the picture on the screen is. */
  screenshot(): void {
    const { sea } = this;
    sea.pace.hold(true);
    sea.draw();
    sea.canvas.toBlob((blob) => blob && save(`fathom-${sea.time.toFixed(1)}s.png`, blob), "image/png");
    sea.pace.hold(!!this.film);
  }

  /** Starts a film, or ends and saves it. */
  toggleFilm(): void {
    const button = by("film"),
      { sea } = this;
    if (this.film) {
      this.film.stop();
      this.film = null;
      sea.pace.hold(false);
      button.setAttribute("aria-pressed", "false");
      return;
    }
    const parts: Blob[] = [],
      film = new MediaRecorder(sea.canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 8e6 });
    sea.pace.hold(true);
    film.ondataavailable = (e) => parts.push(e.data);
    film.onstop = () => save("fathom.webm", new Blob(parts, { type: "video/webm" }));
    film.start(1000);
    this.film = film;
    button.setAttribute("aria-pressed", "true");
    toast("recording the view; press again to save it");
  }
}
