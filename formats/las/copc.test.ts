import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '../crs/find-crs.ts';
import { findVerticalCrs } from '../crs/find-vertical-crs.ts';
import { countedBytes } from '../geotiff/testing.ts';
import { decodeCopcInfo, readRootNodes } from './copc.ts';
import { decodeChunk } from './decode/decode-chunk.ts';
import { readLasCrs } from './las-crs.ts';
import { openLas } from './open-las.ts';
import { readLasHeader, readRecord } from './read-header.ts';
import { gardenPoints, readGardenCopc, writeGarden } from './testing-copc.ts';

const copc = countedBytes(await readGardenCopc());
const { header, records, parts } = await openLas(copc);

/** The bytes of each record, in an order that does not depend on that in the file. */
function sorted(points: Uint8Array): string[] {
  const all = Buffer.from(points);
  return Array.from({ length: all.length / header.recordLength }, (_, i) =>
    all.toString('hex', i * header.recordLength, (i + 1) * header.recordLength),
  ).toSorted();
}

test('a COPC has the records of the LAS that it was made from, over all nodes of its octree', async () => {
  const las = writeGarden();
  const { pointOffset, scale, offset } = await readLasHeader(countedBytes(las));
  assert.deepEqual([header.scale, header.offset], [scale, offset]);
  const chunks: Uint8Array[] = [];
  for (const part of parts)
    chunks.push(decodeChunk(await copc.read(part.offset, part.length), header, part.points));
  assert.deepEqual(sorted(Buffer.concat(chunks)), sorted(las.subarray(pointOffset)));
});

test('the nodes of the first page of a COPC are chunks of the file, the thinnest first', async () => {
  const info = records.find(({ user, id }) => user === 'copc' && id === 1)!;
  const nodes = await readRootNodes(copc, decodeCopcInfo(await readRecord(copc, info)));
  const levels = nodes.map(({ level }) => level);
  assert.deepEqual(levels, [0, 1, 1, 1, ...Array<number>(12).fill(2)]);
  const rest = new Map(parts.map((part) => [part.offset, part]));
  for (const { offset, length, points } of nodes) {
    assert.deepEqual(rest.get(offset), { offset, length, points });
    rest.delete(offset);
  }
  // a node and its four children stand on another page
  assert.equal(rest.size, 5);
  assert.equal(
    parts.reduce((sum, { points }) => sum + points, 0),
    gardenPoints,
  );
});

test('a COPC says by WKT where it is and what its heights count from', async () => {
  const { text } = await readLasCrs(copc, header, records);
  assert.equal(findCrs(text!).code, 'EPSG:25832');
  assert.equal(findVerticalCrs(text!)?.name, 'DHHN2016 height');
});
