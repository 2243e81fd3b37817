/** Small helpers for elements. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}
export const by = <T extends Element = HTMLElement>(id: string) => document.getElementById(id) as unknown as T;

export function save(name: string, data: Blob): void {
  const a = make("a", { href: URL.createObjectURL(data), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

let hide: ReturnType<typeof setTimeout>;
export function toast(text: string, bad = false): void {
  const box = by("toast");
  box.textContent = text;
  box.classList.toggle("bad", bad);
  box.classList.add("on");
  clearTimeout(hide);
  hide = setTimeout(() => box.classList.remove("on"), bad ? 6000 : 2500);
}

/** Sizes a canvas to the pixels of the screen. */
export function sharp(canvas: HTMLCanvasElement, height: number): CanvasRenderingContext2D {
  const ratio = Math.min(devicePixelRatio, 2),
    width = Math.max(60, canvas.clientWidth || 320);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
  }
  const c = canvas.getContext("2d")!;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  return c;
}
