import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { SourceError } from '../source/source.ts';
import { mutate } from '../wkb/testing.ts';
import { rootTable } from './flat-table.ts';
import { createFlatWriter, endBuffer, startBuffer, startVector, writeTable } from './flat-writer.ts';
import { isFlatGeobuf } from './is-flatgeobuf.ts';
import { readGeometry } from './read-geometry.ts';
import { cpuTime } from '../testing-cpu-time.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { fails, type SeenFeature } from '../testing-parts.ts';
import { type PlainFeature, plainFeature, open, readParts, readAll, serialize, write } from './testing.ts';

const { newPath } = makeTestFolder('.fgb');

test('a collection that shares parts, so that a few bytes would be 2^60 geometries, is refused', () => {
  const writer = createFlatWriter();
  startBuffer(writer);
  let links = [4];
  for (let depth = 60; depth >= 0; depth--) {
    const fields = writeTable(writer, links[0]!, [0, 0, 0, 0, 0, 0, 1, depth === 0 ? 0 : 4]);
    const { view } = writer;
    const table = links[0]! + view.getUint32(links[0]!, true);
    for (const link of links) view.setUint32(link, table - link, true);
    writer.bytes[fields[6]!] = 7;
    if (depth === 0) break;
    startVector(writer, fields[7]!, { count: 2, size: 4 });
    links = [writer.at, writer.at + 4];
    writer.at += 8;
  }
  const bytes = endBuffer(writer);
  const flat = { bytes, view: writer.view, start: 4, end: bytes.length };
  assert.throws(
    () => readGeometry(flat, rootTable(flat), 7, createGeometryBuffer()),
    /same bytes repeatedly/,
  );
});

test('files that are cut off, of another version or too large are refused with a reason', async () => {
  const path = newPath();
  const track = (size: number): PlainFeature =>
    plainFeature(
      { type: 'LineString', coordinates: Array.from({ length: size }, (_, i) => [i % 90, 1]) },
      { a: 'b' },
    );
  const small = Array.from({ length: 100 }, () => track(10));
  await write([...small, track(1000)], path);
  const whole = readFileSync(path);
  await fails(readParts((await open(path)).layers[0]!.parts, [], 5000), 'featureTooLarge', /has \d+ bytes/);
  writeFileSync(path, serialize(small));
  const plain = readFileSync(path);
  const oneFeature = (plain.length - 12 - plain.readUInt32LE(8)) / small.length;
  for (const [bytes, code, message] of [
    [whole.subarray(0, 10), 'truncatedFile', /before its header/],
    [whole.subarray(0, 40), 'truncatedFile', /ends in its header/],
    [whole.subarray(0, 1000), 'truncatedFile', /does not fit/],
    [plain.subarray(0, -50), 'truncatedFile', /middle of a feature/],
    [plain.subarray(0, -oneFeature), 'truncatedFile', /ends after 99 features/],
    [Buffer.concat([Buffer.of(0x66, 0x67, 0x62, 2), whole.subarray(4)]), 'unsupported', /version 2/],
    [Buffer.from('{"type": "FeatureCollection"}'), 'notRecognised', /not a FlatGeobuf/],
  ] as const) {
    writeFileSync(path, bytes);
    await fails(readAll(path), code, message);
  }
  writeFileSync(path, whole.subarray(0, -50));
  const seen: SeenFeature[] = [];
  await fails(readParts((await open(path)).layers[0]!.parts, seen), 'truncatedFile', /middle of a feature/);
  assert.ok(seen.length > 90, 'what came before is delivered');
});

test('an index that contradicts the file is not used, and a warning says so', async () => {
  const path = newPath();
  await write(
    Array.from({ length: 20 }, (_, i) => plainFeature({ type: 'Point', coordinates: [i, i] }, { i })),
    path,
  );
  const bytes = readFileSync(path);
  const leaves = 12 + bytes.readUInt32LE(8) + 3 * 40;
  for (let leaf = 0; leaf < 20; leaf++) bytes.writeBigUInt64LE(999n, leaves + leaf * 40 + 32);
  writeFileSync(path, bytes);
  const source = await open(path, 100);
  assert.deepEqual(
    source.warnings.map(({ code }) => code),
    ['brokenIndex'],
  );
  assert.equal((await readParts(source.layers[0]!.parts)).length, 20);
});

test('the head of a FlatGeobuf file is recognised', () => {
  const bytes = serialize([plainFeature({ type: 'Point', coordinates: [1, 2] }, { a: 1 })]);
  assert.ok(isFlatGeobuf(bytes));
  assert.ok(!isFlatGeobuf(bytes.subarray(0, 7)));
  assert.ok(!isFlatGeobuf(Buffer.from('fgb is no format')));
});

test('400 mutated files are read or refused, and none takes 2 s or 256 MB', async () => {
  const around = Array.from({ length: 20 }, (_, i) => [Math.sin(i), Math.cos(i)]);
  const given = Array.from({ length: 50 }, (_, i) =>
    plainFeature(
      i % 2 === 0
        ? { type: 'MultiPolygon', coordinates: [[around, around], [around]] }
        : { type: 'Polygon', coordinates: [around, around] },
      { text: `text ${i}`, number: i, truth: i % 3 === 0, json: { i } },
    ),
  );
  const path = newPath();
  await write(given, path);
  let refused = 0;
  let delivered = 0;
  let problems = 0;
  const memory = process.resourceUsage().maxRSS;
  for (const whole of [serialize(given), readFileSync(path)]) {
    for (let seed = 0; seed < 200; seed++) {
      writeFileSync(path, mutate(whole, seed));
      const spentMs = cpuTime();
      try {
        const seen = await readAll(path, 5000);
        delivered += seen.length;
        problems += seen.filter(({ problem }) => problem !== undefined).length;
      } catch (error) {
        assert.ok(error instanceof SourceError, String((error as Error).stack));
        refused++;
      }
      assert.ok(spentMs() < 2000, `seed ${seed}`);
    }
  }
  assert.ok(process.resourceUsage().maxRSS - memory < 256 * 1024, 'in kB');
  assert.ok(refused > 10 && delivered > 1000 && problems > 10, `${refused} ${delivered} ${problems}`);
});
