import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createScratchWords } from '@platen/geo/point-tree/scratch-words';
import { afterFile } from '../../../checks/clean-up.ts';
import { openScratchFile } from '../../kit/scratch-file.ts';
import { indexRanges } from '../bucket-ranges.ts';
import { createSpill, type Spill } from '../spill.ts';
import { countRows, readRows, rowsOf } from './read-rows.ts';
import { plainShape, rowShapeOf } from './row-shape.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-rows-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const sideBits = 32;
const columns = 5;

/** A cell, and rows of points in it, among them its corners. */
const cellWithRows = fc.integer({ min: 0, max: 20 }).chain((level) => {
  const side = 2 ** (sideBits - level);
  const place = fc.nat(2 ** level - 1);
  return fc.record({ x: place, y: place, z: place }).chain((at) => {
    const within = (low: number) => fc.integer({ min: low * side, max: (low + 1) * side - 1 });
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    const row = fc.tuple(within(at.x), within(at.y), within(at.z), word, word);
    return fc.record({
      cell: fc.constant({ level, ...at }),
      rows: fc.array(row, { minLength: 1, maxLength: 700 }),
    });
  });
});

/** Its memory may be another one once there is a further row. */
function put(spill: Spill, bucket: number, row: readonly number[]): void {
  const room = spill.room(bucket);
  spill.rows.set(row, room.at);
  room.at += row.length;
}

test('rows come back as they were written, in the same order, in cells of up to 2 km packed by a word', () => {
  let files = 0;
  fc.assert(
    fc.property(cellWithRows, ({ cell, rows }) => {
      const shape = rowShapeOf(cell, sideBits, columns);
      assert.equal(shape.words, cell.level >= 11 ? columns - 1 : columns);
      const file = openScratchFile(join(folder, `rows-${files++}`));
      // those of another bucket stand between them
      const spill = createSpill(file, columns, (bucket) => (bucket === 0 ? shape : plainShape(columns)));
      const write = (some: readonly (readonly number[])[]) => {
        for (const row of some) for (const bucket of [0, 1]) put(spill, bucket, row);
        return spill.flush();
      };
      const half = Math.floor(rows.length / 2);
      const written = indexRanges([...write(rows.slice(0, half)), ...write(rows.slice(half))]);
      for (const bucket of [0, 1]) {
        const own = bucket === 0 ? shape : plainShape(columns);
        const ranges = written.rangesOf(bucket);
        assert.equal(countRows(ranges, own), rows.length);
        const read = readRows(ranges, own, createScratchWords());
        assert.equal(read.count, rows.length);
        assert.deepEqual([...read.rows], rows.flat());
        assert.deepEqual([...rowsOf(ranges, own)].length, half > 0 ? 2 : 1);
        assert.deepEqual(Array.from(rowsOf(ranges, own), (part) => [...part]).flat(), rows.flat());
      }
      file.close();
    }),
    { numRuns: 60 },
  );
});

test('more rows than are held at a time come in parts', () => {
  const cell = { level: 12, x: 5, y: 4000, z: 7 };
  const side = 2 ** (sideBits - cell.level);
  const shape = rowShapeOf(cell, sideBits, 3);
  const file = openScratchFile(join(folder, 'many'));
  const spill = createSpill(file, 3, () => shape);
  const count = 200_000;
  const rowAt = (i: number) => [cell.x * side + i, cell.y * side + 2 * i, (cell.z + 1) * side - 1 - 3 * i];
  for (let i = 0; i < count; i++) put(spill, 0, rowAt(i));
  const ranges = indexRanges(spill.flush()).rangesOf(0);
  assert.equal(file.length, count * 2 * 4);
  let [at, parts] = [0, 0];
  for (const rows of rowsOf(ranges, shape)) {
    parts++;
    for (let i = 0; i < rows.length; i += 3) assert.deepEqual([...rows.subarray(i, i + 3)], rowAt(at++));
  }
  assert.equal(at, count);
  assert.ok(parts > 1);
  file.close();
});
