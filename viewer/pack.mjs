// Packs the built page into dist/, which is kept in the tree: a build of the program needs neither Node nor a network.
import { gzipSync } from "node:zlib";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
mkdirSync("dist", { recursive: true });
let total = 0;
for (const name of readdirSync("build")) {
    const packed = gzipSync(readFileSync(`build/${name}`), { level: 9 });
    packed[9] = 3; // the same bytes on every system
    writeFileSync(`dist/${name}.gz`, packed);
    total += packed.length;
}
console.log(`dist: ${total} bytes packed`);
