// Takes the libraries out of a self-contained .NET program (one file, bundle
// format 6), so that a compiler can refer to them.
// Usage: node unbundle.mjs PROGRAM FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

// The SHA-256 of ".net core bundle": the host finds its manifest by it.
const MARK = Buffer.from('8b1202b96a6120387' + '27b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae', 'hex');

const [program, folder] = process.argv.slice(2);
const bytes = readFileSync(program);
let at = Number(bytes.readBigInt64LE(bytes.indexOf(MARK) - 8));

const version = bytes.readUInt32LE(at);
if (version !== 6) throw new Error(`${program}: bundle format ${version}, want 6`);
const count = bytes.readInt32LE(at + 8);
at += 12;
text(); // the bundle's id
at += 40; // where deps.json and runtimeconfig.json are, and flags

for (let i = 0; i < count; i++) {
  const offset = Number(bytes.readBigInt64LE(at));
  const size = Number(bytes.readBigInt64LE(at + 8));
  const compressed = Number(bytes.readBigInt64LE(at + 16));
  at += 25;
  const name = text();
  if (!name.endsWith('.dll') || name.includes('/')) continue;
  const content = bytes.subarray(offset, offset + (compressed || size));
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, compressed ? inflateRawSync(content) : content);
}

// text reads a string behind its length in base 128.
function text() {
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const b = bytes[at++];
    length |= (b & 0x7f) << shift;
    if (b < 0x80) break;
  }
  at += length;
  return bytes.toString('utf8', at - length, at);
}
