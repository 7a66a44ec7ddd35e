import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import type { Bytes } from '../bytes/bytes.ts';
import { openLasPoints } from './las-points.ts';
import { createBlockReader } from './open-las.ts';
import { readLasHeader } from './read-header.ts';
import { writeLas } from './testing.ts';

const points = Array.from({ length: 5000 }, (_, i) => ({
  x: 500_000 + i,
  y: 5_400_000 - i,
  z: i / 10,
  intensity: i,
  classification: i % 20,
  colour: [i, 2 * i, 65_535 - i] as const,
}));

/** A file that is read into given memory, all of which is kept in `targets`. */
function recorded(content: Uint8Array, targets: ArrayBufferLike[] = []): Bytes {
  return {
    ...bytesOf(content),
    readInto(offset, target) {
      targets.push(target.buffer);
      target.set(content.subarray(offset, offset + target.length));
      return target.length;
    },
  };
}

test('blocks of a part have its points, without those that are withheld', async () => {
  const las = writeLas({ minor: 4, pointFormat: 8, points });
  const header = await readLasHeader(bytesOf(las));
  for (let i = 0; i < points.length; i += 7)
    las.writeUInt8(4, header.pointOffset + i * header.recordLength + 15);
  const file = await openLasPoints(recorded(las));
  const whole = await file.readPart(0);
  let first = 0;
  for (const block of await file.readBlocks!(0)) {
    const end = first + block.count;
    for (const name of ['intensities', 'classes', 'returns', 'gpsTimes', 'infrared'] as const)
      assert.deepEqual(block[name], whole[name]!.subarray(first, end), name);
    for (const name of ['places', 'colours'] as const)
      assert.deepEqual(block[name], whole[name]!.subarray(first * 3, end * 3), name);
    first = end;
  }
  assert.deepEqual([first, whole.count], Array(2).fill(points.length - Math.ceil(points.length / 7)));
});

test('memory of parts is used again, unless they are so large that many open files would fill it', async () => {
  const las = writeLas({ points });
  const header = await readLasHeader(bytesOf(las));
  const targets: ArrayBufferLike[] = [];
  const content = new Uint8Array(24 << 20);
  const read = createBlockReader(recorded(content, targets), header, {});
  for (const count of [1000, 1_000_000, 1000])
    await read({ offset: 0, length: count * header.recordLength, points: count });
  const [small, large, next] = targets;
  assert.ok(small === next && large !== small);
});
