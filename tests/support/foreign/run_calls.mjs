// Carries out recorded calls of a WebAssembly module: node run_calls.mjs MODULE < calls > results.
// See run_calls.c for what a call is.

import { readFileSync, writeSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = WebAssembly.Module.imports(module);
if (imports.length) throw new Error(`it imports ${JSON.stringify(imports)}`);
const { exports } = new WebAssembly.Instance(module);
const start = (exports.__heap_base.value + 63) & ~63;
const input = readFileSync(0);

function write(bytes) {
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}

for (let place = 0; place < input.length; ) {
  const [name, size, block, count] = [0, 8, 16, 24].map(skip => Number(input.readBigUInt64LE(place + skip)));
  place += 32;
  const symbol = input.toString("latin1", place, place + name);
  place += name;
  const missing = start + size - exports.memory.buffer.byteLength;
  if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
  const memory = Buffer.from(exports.memory.buffer);
  input.copy(memory, start, place + 16 * count, place + 16 * count + size);
  for (let each = 0; each < count; each++, place += 16)
    memory.writeBigUInt64LE(
      BigInt(start) + input.readBigUInt64LE(place + 8),
      start + Number(input.readBigUInt64LE(place)),
    );
  place += size;
  const status = Buffer.alloc(8);
  status.writeBigInt64LE(BigInt(exports[symbol](start + block)));
  write(status);
  write(memory.subarray(start, start + size));
}
