import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clearGeometry, createGeometryBuffer, pushPosition } from '../feature/geometry-buffer.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { readAll } from './testing.ts';
import { createFlatGeobufWriter, type FlatGeobufWriter } from './write-flatgeobuf.ts';

const { folder, newPath } = makeTestFolder('.fgb');

function addPoints(writer: FlatGeobufWriter, count: number): void {
  const geometry = createGeometryBuffer();
  for (let id = 0; id < count; id++) {
    clearGeometry(geometry);
    // some places have several points, which stay in their order
    pushPosition(geometry, Math.sin(id % 4000) * 170, Math.cos((id % 4000) * 1.7) * 80);
    geometry.ringEnds.push(1);
    geometry.polygonEnds.push(1);
    geometry.parts.push({ type: 'Point', polygonStart: 0, polygonEnd: 1 });
    assert.ok(writer.add({ geometry, properties: { id } }));
  }
}

test('a file is the same, byte for byte, however little memory its features are sorted in', async () => {
  const [first, ...others] = await Promise.all(
    [2 ** 30, 1, 150_000].map(async (memoryBytes) => {
      const path = newPath();
      const writer = createFlatGeobufWriter({ scratchFolder: folder, name: 'points', memoryBytes });
      addPoints(writer, 10_001);
      assert.equal((await writer.finish(path)).featureCount, 10_001);
      return path;
    }),
  );
  for (const other of others) assert.ok(readFileSync(first!).equals(readFileSync(other)));
  const ids = (await readAll(first!)).map(({ properties }) => properties['id'] as number);
  assert.deepEqual(
    ids.toSorted((a, b) => a - b),
    Array.from({ length: 10_001 }, (_, id) => id),
  );
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.endsWith('.fgb')),
    [],
  );
});

test('features that wait for the last one take no memory', () => {
  const writer = createFlatGeobufWriter({ scratchFolder: folder, name: 'points' });
  addPoints(writer, 10);
  const before = process.memoryUsage().arrayBuffers;
  addPoints(writer, 200_000);
  const bytesPerFeature = (process.memoryUsage().arrayBuffers - before) / 200_000;
  writer.discard();
  assert.ok(bytesPerFeature < 4, `${bytesPerFeature} bytes of each`);
});
