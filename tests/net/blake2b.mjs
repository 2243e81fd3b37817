// Keyed BLAKE2b (RFC 7693), which Node.js has only without a key.
const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const SIGMA = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
  "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
].map((row) => [...row].map((digit) => parseInt(digit, 16)));
const COLUMNS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
const cut = (x) => BigInt.asUintN(64, x), turn = (x, n) => cut((x >> n) | (x << (64n - n)));

function mix(v, [a, b, c, d], x, y) {
  v[a] = cut(v[a] + v[b] + x);
  v[d] = turn(v[d] ^ v[a], 32n);
  v[c] = cut(v[c] + v[d]);
  v[b] = turn(v[b] ^ v[c], 24n);
  v[a] = cut(v[a] + v[b] + y);
  v[d] = turn(v[d] ^ v[a], 16n);
  v[c] = cut(v[c] + v[d]);
  v[b] = turn(v[b] ^ v[c], 63n);
}

function compress(h, block, count, last) {
  const m = Array.from({ length: 16 }, (_, i) => block.readBigUInt64LE(8 * i)), v = [...h, ...IV];
  v[12] ^= BigInt(count);
  if (last) v[14] = cut(~v[14]);
  for (let round = 0; round < 12; round++)
    COLUMNS.forEach((column, i) => mix(v, column, m[SIGMA[round % 10][2 * i]], m[SIGMA[round % 10][2 * i + 1]]));
  return h.map((x, i) => x ^ v[i] ^ v[i + 8]);
}

export function blake2b(data, key, size) {
  const all = Buffer.concat([key, Buffer.alloc((128 - key.length) % 128), data]);
  let h = [...IV];
  h[0] ^= BigInt(0x01010000 ^ (key.length << 8) ^ size);
  for (let at = 0; ; at += 128) {
    const last = at + 128 >= all.length, block = Buffer.alloc(128);
    all.copy(block, 0, at, at + 128);
    h = compress(h, block, Math.min(at + 128, all.length), last);
    if (last) break;
  }
  const out = Buffer.alloc(64);
  h.forEach((x, i) => out.writeBigUInt64LE(x, 8 * i));
  return out.subarray(0, size);
}
