// A binary glTF file, made here: a small boat of two boxes, magenta. Forward is its z, up its y.
function box(x, y, z, [cx, cy, cz]) {
  const p = [], n = [], index = [];
  for (const axis of [0, 1, 2])
    for (const side of [-1, 1]) {
      const a = (axis + 1) % 3, b = (axis + 2) % 3, half = [x / 2, y / 2, z / 2], centre = [cx, cy, cz], first = p.length / 3;
      for (const [s, t] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const q = [0, 0, 0], normal = [0, 0, 0];
        normal[axis] = side;
        q[axis] = side * half[axis];
        q[a] = s * half[a];
        q[b] = t * half[b];
        p.push(...q.map((v, i) => v + centre[i]));
        n.push(...normal);
      }
      index.push(...(side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map((k) => first + k));
    }
  return { p, n, index };
}

export function boatFile() {
  const parts = [box(0.6, 0.4, 2.2, [0, 0, 0]), box(0.4, 0.5, 0.6, [0, 0.4, -0.3])];
  const p = parts.flatMap((b) => b.p), n = parts.flatMap((b) => b.n), index = parts.flatMap((b, i) => b.index.map((k) => k + 24 * i));
  const bytes = Buffer.concat([Buffer.from(new Float32Array(p).buffer), Buffer.from(new Float32Array(n).buffer), Buffer.from(new Uint16Array(index).buffer)]);
  const corners = p.length / 3, low = [0, 1, 2].map((k) => Math.min(...p.filter((_, i) => i % 3 === k))), high = [0, 1, 2].map((k) => Math.max(...p.filter((_, i) => i % 3 === k)));
  const about = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 0, 0.7, 1], metallicFactor: 0, roughnessFactor: 0.6 }, emissiveFactor: [0.5, 0, 0.35] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material: 0 }] }],
    buffers: [{ byteLength: bytes.length }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 12 * corners }, { buffer: 0, byteOffset: 12 * corners, byteLength: 12 * corners }, { buffer: 0, byteOffset: 24 * corners, byteLength: 2 * index.length }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: corners, type: "VEC3", min: low, max: high },
      { bufferView: 1, componentType: 5126, count: corners, type: "VEC3" },
      { bufferView: 2, componentType: 5123, count: index.length, type: "SCALAR" },
    ],
  };
  const chunk = (kind, data, fill) => {
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4, fill)]), head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.writeUInt32LE(kind, 4);
    return Buffer.concat([head, padded]);
  };
  const chunks = Buffer.concat([chunk(0x4e4f534a, Buffer.from(JSON.stringify(about)), 0x20), chunk(0x004e4942, bytes, 0)]), head = Buffer.alloc(12);
  head.writeUInt32LE(0x46546c67, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}
