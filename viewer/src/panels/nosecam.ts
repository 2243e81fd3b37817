/** The view ahead of a vehicle's nose: a small picture of the same sea, with heading, pitch and depth over it. */
import * as THREE from "three";
import { sharp } from "../dom";
import { eulerOf, type Fleet, type Vehicle } from "../fleet";
import type { Sea } from "../sea/sea";
import { degrees, fixed } from "../series";

interface View {
  canvas: HTMLCanvasElement;
  vehicle: string;
}

const height = 164;
const words = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

export class NoseCamera {
  private views = new Set<View>();
  private camera = new THREE.PerspectiveCamera(60, 2, 0.02, 3000);
  private at = 0;

  constructor(
    private sea: Sea,
    private fleet: Fleet,
  ) {}

  show(canvas: HTMLCanvasElement, vehicle: string): () => void {
    const view = { canvas, vehicle };
    this.views.add(view);
    this.at = 0;
    return () => this.views.delete(view);
  }

  /** Call before the sea is drawn: draws the picture on the same canvas and copies it, a few times per second. */
  draw(now: number): void {
    const pause = this.sea.frames.rate && this.sea.frames.rate < 12 ? 1500 : 100;
    if (now - this.at < pause) return;
    this.at = now;
    for (const view of this.views) {
      const v = this.fleet.vehicles.get(view.vehicle);
      if (v && view.canvas.offsetParent) this.take(view.canvas, v);
    }
  }

  private aim(v: Vehicle): void {
    const q = new THREE.Quaternion(...v.q),
      size = this.sea.craft(v.name)?.size ?? 0.5;
    const turn = (a: THREE.Vector3) => new THREE.Vector3(a.x, a.z, -a.y); // east, north, up to the axes of the scene
    const ahead = turn(new THREE.Vector3(1, 0, 0).applyQuaternion(q)),
      up = turn(new THREE.Vector3(0, 0, 1).applyQuaternion(q));
    this.camera.position.set(v.p[0], v.p[2], -v.p[1]).addScaledVector(ahead, 1.02 * size);
    this.camera.up.copy(up);
    this.camera.lookAt(this.camera.position.clone().add(ahead));
  }

  private take(canvas: HTMLCanvasElement, v: Vehicle): void {
    const { renderer, root } = this.sea,
      scene = root.parent as THREE.Scene,
      c = sharp(canvas, height),
      w = canvas.clientWidth,
      ratio = renderer.getPixelRatio();
    const whole = renderer.getSize(new THREE.Vector2()),
      wide = Math.min(w, whole.x),
      high = Math.min((wide * height) / w, whole.y);
    const own = this.sea.craft(v.name)?.group,
      shown = own?.visible ?? true;
    this.camera.aspect = wide / high;
    this.camera.updateProjectionMatrix();
    this.aim(v);
    this.sea.arrange(this.camera, height);
    if (own) own.visible = false;
    renderer.setViewport(0, 0, wide, high);
    renderer.setScissor(0, 0, wide, high);
    renderer.setScissorTest(true);
    this.render(scene);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, whole.x, whole.y);
    if (own) own.visible = shown;
    c.drawImage(this.sea.canvas, 0, this.sea.canvas.height - high * ratio, wide * ratio, high * ratio, 0, 0, w, height);
    this.overlay(c, w, v);
  }

  private render(scene: THREE.Scene): void {
    this.sea.light(this.camera, 16);
    this.sea.renderer.render(scene, this.camera);
  }

  private overlay(c: CanvasRenderingContext2D, w: number, v: Vehicle): void {
    const [roll, pitch, course] = eulerOf(v.q), // of the moment that the picture shows
      heading = course * degrees,
      x = (deg: number) => w / 2 + deg * 2.6;
    c.fillStyle = "#04121b90";
    c.fillRect(0, 0, w, 22);
    c.fillRect(0, height - 20, w, 20);
    c.strokeStyle = c.fillStyle = "#ffffffd0";
    c.lineWidth = 1;
    c.font = "10px system-ui, sans-serif";
    c.textAlign = "center";
    for (let a = Math.ceil((heading - 70) / 15) * 15; a < heading + 70; a += 15) {
      const p = x(a - heading),
        name = ((a % 360) + 360) % 360;
      if (p < 14 || p > w - 14) continue;
      c.fillRect(p - 0.5, 15, 1, name % 45 ? 4 : 6);
      c.fillText(name % 45 ? String(name) : words[name / 45], p, 12);
    }
    c.beginPath(); // heading and pitch
    c.moveTo(w / 2, 22);
    c.lineTo(w / 2 - 4, 28);
    c.lineTo(w / 2 + 4, 28);
    c.fill();
    const y = height / 2,
      horizon = pitch * degrees * 2.6;
    c.save();
    c.translate(w / 2, y);
    c.rotate(-roll);
    c.strokeRect(-14, horizon, 28, 0.01);
    c.restore();
    c.strokeStyle = "#4cc3ff";
    c.beginPath(); // the nose
    c.moveTo(w / 2 - 26, y);
    c.lineTo(w / 2 - 9, y);
    c.moveTo(w / 2 + 9, y);
    c.lineTo(w / 2 + 26, y);
    c.stroke();
    const sign = (n: number) => fixed(n, 1);
    c.textAlign = "left";
    c.fillText(`depth ${sign(-v.p[2])} m`, 8, height - 6);
    c.textAlign = "center";
    c.fillText(`${(((Math.round(heading) % 360) + 360) % 360).toString().padStart(3, "0")}°`, w / 2, height - 6);
    c.textAlign = "right";
    c.fillText(`pitch ${sign(pitch * degrees)}°`, w - 8, height - 6);
  }
}
