// WebP pictures, still and moving: Chromium makes the stills, this file joins them.

/** A PNG as WebP of another size, as Chromium writes it. */
export async function webpOf(page, png, width, height, quality = 0.72) {
  const text = await page.evaluate(async ([data, w, h, q]) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), image = await createImageBitmap(new Blob([bytes]), { resizeWidth: w, resizeHeight: h, resizeQuality: "high" });
    const canvas = new OffscreenCanvas(w, h);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: q }), out = new Uint8Array(await blob.arrayBuffer());
    let packed = "";
    for (const byte of out) packed += String.fromCharCode(byte);
    return btoa(packed);
  }, [png.toString("base64"), width, height, quality]);
  return Buffer.from(text, "base64");
}

const number = (value, bytes) => Buffer.from(Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) & 255)); // little-endian
const chunk = (name, data) => Buffer.concat([Buffer.from(name), number(data.length, 4), data, Buffer.alloc(data.length % 2)]);

/** The chunks of a still that are its picture (VP8, VP8L, ALPH). */
function pictureOf(webp) {
  const chunks = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const name = webp.toString("latin1", at, at + 4), size = webp.readUInt32LE(at + 4), end = at + 8 + size + (size % 2);
    if (["VP8 ", "VP8L", "ALPH"].includes(name)) chunks.push(webp.subarray(at, end));
    at = end;
  }
  return Buffer.concat(chunks);
}

/** Stills of one size as an animation that repeats for ever: `times` are how long each is shown, in ms. */
export function animationOf(stills, times, width, height) {
  const size = Buffer.concat([number(width - 1, 3), number(height - 1, 3)]);
  const frames = stills.map((still, i) =>
    chunk("ANMF", Buffer.concat([number(0, 6), size, number(times[i], 3), Buffer.from([0x02]), pictureOf(still)])), // 2: not blended
  );
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    chunk("VP8X", Buffer.concat([Buffer.from([0x02, 0, 0, 0]), size])), // 2: an animation
    chunk("ANIM", Buffer.alloc(6)), // background; repeated for ever
    ...frames,
  ]);
  return Buffer.concat([Buffer.from("RIFF"), number(body.length, 4), body]);
}
