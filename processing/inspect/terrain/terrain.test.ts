import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writeMesh } from '@platen/formats/quantized-mesh/testing';
import { codesOf, inspectFolder, survivesDamage, type Files } from '../testing-subject.ts';

const description = {
  tilejson: '2.1.0',
  format: 'quantized-mesh-1.0',
  version: '1.0.0',
  scheme: 'tms',
  projection: 'EPSG:4326',
  bounds: [-180, -90, 180, 90],
  tiles: ['{z}/{x}/{y}.terrain?v={version}'],
  available: [[{ startX: 0, startY: 0, endX: 1, endY: 0 }]],
  extensions: ['metadata'],
};
const tile = writeMesh(0, 3000);
const whole: Files = {
  'layer.json': JSON.stringify(description),
  '0/0/0.terrain': gzipSync(tile),
  '0/1/0.terrain': tile,
};

test('a terrain with both root tiles is shown as it is', async () => {
  const { format, formatVersion, kind, layers, uses, issues, thumbnail } = await inspectFolder(whole);
  assert.deepEqual([format, formatVersion, kind], ['quantizedMesh', 'quantized-mesh-1.0', 'terrain']);
  assert.deepEqual(issues, []);
  assert.deepEqual([layers[0]!.featureCount, layers[0]!.crs!.code], [2, 'EPSG:4326']);
  assert.deepEqual(layers[0]!.details!['extensions'], ['metadata', 'octvertexnormals']);
  assert.deepEqual([uses[0]!.type, uses[0]!.confidence], ['qmesh', 0.95]);
  assert.match(thumbnail!, /^data:image/);
});

test('a missing root tile and another scheme, projection or format are reported with advice', async () => {
  const { '0/1/0.terrain': _missing, ...half } = whole;
  const report = await inspectFolder(half);
  assert.match(report.issues[0]!.message, /0\/1\/0\.terrain missing.*no globe/);
  assert.ok(report.uses[0]!.confidence < 0.5);
  for (const [change, code] of [
    [{ scheme: 'slippyMap' }, 'unsupportedScheme'],
    [{ projection: 'EPSG:3857' }, 'unsupportedProjection'],
    [{ format: 'heightmap-1.0' }, 'unsupportedTerrain'],
    [{ parentUrl: '../world' }, 'parentTerrain'],
  ] as const) {
    const files = { ...whole, 'layer.json': JSON.stringify({ ...description, ...change }) };
    assert.ok(codesOf(await inspectFolder(files)).includes(code), code);
  }
});

test('a damaged root tile is reported by name', async () => {
  const report = await inspectFolder({ ...whole, '0/0/0.terrain': tile.subarray(0, 100) });
  assert.match(report.issues[0]!.message, /0\/0\/0 is damaged/);
});

test('survives damage of its description, and of a tile', async () => {
  await survivesDamage(
    { ...whole, 'layer.json': Buffer.from(whole['layer.json'] as string) },
    'layer.json',
    undefined,
  );
  await survivesDamage({ ...whole, '0/0/0.terrain': tile }, '0/0/0.terrain', undefined);
});

test('drawing is bounded whatever a tile contains', async () => {
  const count = 30_000;
  const start = tile.subarray(0, 88 + 4 + 24);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(count);
  const triangles = Buffer.alloc(count * 6);
  for (let i = 0; i < 6; i++) triangles.writeUInt16LE([0, 0, 0, 2, 0, 2][i]!, i * 2);
  // every other one is the last vertex three times over, or all of the tile
  for (let i = 6; i < count * 3; i++) triangles.writeUInt16LE([3, 2, 1][i % 3]!, i * 2);
  const bomb = Buffer.concat([start, head, triangles, Buffer.alloc(16)]);
  const report = await inspectFolder({ ...whole, '0/0/0.terrain': bomb, '0/1/0.terrain': bomb });
  assert.deepEqual(codesOf(report), []);
});
