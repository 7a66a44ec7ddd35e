import assert from 'node:assert/strict';

export interface ReadIndex {
  readonly head: Readonly<Record<string, unknown>>;
  readonly leaves: readonly {
    readonly cell: string;
    readonly region: readonly number[];
    readonly hash: string;
    readonly objects: readonly (readonly [id: string, content: string])[];
  }[];
}

/** Reads `platen/tiles.bin`, all of it. */
export function readIndex(bytes: Buffer): ReadIndex {
  assert.equal(bytes.toString('latin1', 0, 8), 'PLATENTI');
  assert.equal(bytes.readUInt32LE(8), 1);
  let at = 16 + bytes.readUInt32LE(12);
  const head = JSON.parse(bytes.toString('utf8', 16, at)) as ReadIndex['head'];
  const leaves: ReadIndex['leaves'][number][] = [];
  const hex = (length: number): string => bytes.toString('hex', at, (at += length));
  while (at < bytes.length) {
    const cell = [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(at + offset)).join('-');
    const region = [0, 1, 2, 3, 4, 5].map((i) => bytes.readDoubleLE(at + 16 + i * 8));
    at += 64;
    const hash = hex(16);
    const count = bytes.readUInt32LE(at);
    at += 4;
    const objects = Array.from({ length: count }, () => [hex(6), hex(6)] as const);
    leaves.push({ cell, region, hash, objects });
  }
  return { head, leaves };
}
