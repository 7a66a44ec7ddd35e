import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { glbOf, triangleGlb, triangleGltf } from '../testing-glb.ts';
import {
  codesOf,
  inspectFile,
  inspectFolder,
  inspectSubject,
  subjectOf,
  survivesDamage,
} from '../testing-subject.ts';

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const region = [13.3, 52.4, 13.5, 52.6].map(radians);

/** A b3dm with two batches, as 3D Tiles 1.0 has it. */
function b3dm(glb = triangleGlb()): Buffer {
  const pad = (text: string) => text.padEnd(Math.ceil(text.length / 8) * 8);
  const features = Buffer.from(pad('{"BATCH_LENGTH":2}'));
  const batches = Buffer.from(pad('{"name":["a","b"],"height":[1.5,2]}'));
  const header = Buffer.alloc(28);
  header.write('b3dm');
  const total = 28 + features.length + batches.length + glb.length;
  for (const [i, value] of [1, total, features.length, 0, batches.length, 0].entries())
    header.writeUInt32LE(value, 4 + i * 4);
  return Buffer.concat([header, features, batches, glb]);
}

/** East, north and up at a place, as a transform. */
function placeAt(lon: number, lat: number): number[] {
  const [l, p] = [radians(lon), radians(lat)];
  const [sinL, cosL, sinP, cosP] = [Math.sin(l), Math.cos(l), Math.sin(p), Math.cos(p)];
  return [-sinL, cosL, 0, 0, -sinP * cosL, -sinP * sinL, cosP, 0, cosP * cosL, cosP * sinL, sinP, 0, ...geocentricOf(lon, lat, 40), 1]; // prettier-ignore
}

const tileset = (root: object, more: object = {}) =>
  JSON.stringify({ asset: { version: '1.0' }, geometricError: 500, root, ...more });
const root = {
  boundingVolume: { region: [...region, 30, 150] },
  geometricError: 100,
  refine: 'ADD',
  children: [
    { boundingVolume: { region: [...region, 30, 90] }, geometricError: 0, content: { uri: 'a/0.b3dm' } },
    { boundingVolume: { region: [...region, 30, 90] }, geometricError: 0, content: { url: './a/1.b3dm' } },
  ],
};
const files = { 'tileset.json': tileset(root), 'a/0.b3dm': b3dm(), 'a/1.b3dm': gzipSync(b3dm()) };

test('the report of a tileset folder contains its position, tiles and attributes', async () => {
  const report = await inspectFolder(files);
  assert.deepEqual([report.format, report.formatVersion, report.kind], ['3dtiles', '1.0', 'tileset']);
  assert.deepEqual(codesOf(report), []);
  const [layer] = report.layers;
  assert.deepEqual(
    layer!.bbox!.map((side) => Math.round(side * 1e6) / 1e6),
    [13.3, 52.4, 13.5, 52.6],
  );
  assert.deepEqual([layer!.featureCount, layer!.isBboxEstimated], [3, false]);
  const { details } = layer!;
  assert.deepEqual(
    [details!['heightRange'], details!['refine'], details!['boundingVolume']],
    [[30, 150], ['ADD'], 'region'],
  );
  assert.deepEqual([details!['contentTypes'], details!['contents'], details!['levels']], [{ b3dm: 2 }, 2, 2]);
  assert.deepEqual([details!['geometricError'], details!['content']], [500, 'meshes']);
  assert.deepEqual(layer!.fields, [
    { name: 'name', type: 'string', examples: ['a', 'b'] },
    { name: 'height', type: 'number', examples: [1.5, 2] },
  ]);
  assert.deepEqual([report.uses[0]!.type, report.uses[0]!.confidence > 0.9], ['tileset', true]);
  assert.ok(report.thumbnail!.startsWith('data:image/png;base64,'));
});

test('the ranges of attributes that a tileset states are reported', async () => {
  const properties = {
    height: { minimum: 1, maximum: 90 },
    storeys: { minimum: 2, maximum: 9 },
    odd: { minimum: 'a' },
    reversed: { minimum: 9, maximum: 1 },
  };
  const report = await inspectFolder({ ...files, 'tileset.json': tileset(root, { properties }) });
  assert.deepEqual(report.layers[0]!.fields, [
    { name: 'name', type: 'string', examples: ['a', 'b'] },
    { name: 'height', type: 'number', examples: [1.5, 2], range: { min: 1, max: 90 } },
    { name: 'storeys', type: 'number', examples: [], range: { min: 2, max: 9 } },
    { name: 'odd', type: 'json', examples: [] },
    { name: 'reversed', type: 'json', examples: [] },
  ]);
});

test('transforms place boxes and spheres on earth, and a tileset without a position is reported', async () => {
  const box = {
    boundingVolume: { box: [0, 0, 0, 100, 0, 0, 0, 100, 0, 0, 0, 10] },
    geometricError: 9,
    content: { uri: 'a.glb' },
  };
  const sphere = { ...box, boundingVolume: { sphere: [0, 0, 0, 100] } };
  for (const volume of [box, sphere]) {
    const placed = tileset({ ...volume, transform: placeAt(179.9999, 10) });
    const report = await inspectFolder({ 'tileset.json': placed, 'a.glb': triangleGlb() });
    const [west, south, east, north] = report.layers[0]!.bbox!;
    assert.ok(west! > 179.99 && east! < -179.99, 'it lies across 180°');
    assert.ok(south! > 9.99 && north! < 10.01 && report.layers[0]!.isBboxEstimated);
    const heights = report.layers[0]!.details!['heightRange'] as number[];
    assert.ok(heights[0]! < 40 && heights[1]! > 40 && heights[1]! < 200);
    assert.deepEqual(codesOf(report), []);
  }
  const lost = await inspectFolder({ 'tileset.json': tileset(box), 'a.glb': triangleGlb() });
  assert.deepEqual([codesOf(lost), lost.uses[0]!.confidence], [['noPlace'], 0.3]);
});

test('contents that are missing or outside the folder are named', async () => {
  const missing = await inspectFolder({ 'tileset.json': tileset(root), 'a/0.b3dm': b3dm() });
  assert.deepEqual([codesOf(missing), missing.uses[0]!.confidence], [['missingFiles'], 0.5]);
  assert.match(missing.issues[0]!.message, /a\/1\.b3dm/);
  const uris = [
    '../../etc/passwd',
    'https://example.org/a.b3dm',
    '//example.org/a',
    '/abs',
    'file:///etc/passwd',
  ];
  const outside = {
    ...root,
    children: uris.map((uri) => ({ boundingVolume: root.boundingVolume, content: { uri } })),
  };
  const asked: string[] = [];
  const subject = subjectOf({ 'tileset.json': tileset(outside) });
  await inspectSubject({ ...subject, find: async (path) => (asked.push(path), subject.find(path)) });
  assert.ok(
    asked.every((path) => !/\.\.|:|^\//.test(path)),
    `asked for ${asked.join(', ')}`,
  );
  assert.deepEqual(codesOf((await inspectSubject(subject))!), ['outsideReference']);
});

test('a tileset is found in a folder of a zip, in a 3TZ, and as a single file with its siblings', async () => {
  const inner = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`export/v1/${name}`, content]),
  );
  const zipped = await inspectFile('berlin.zip', zipOfFiles({ ...inner, 'export/readme.txt': 'hello' }));
  assert.deepEqual(
    [zipped.format, zipped.layers[0]!.details!['path'], codesOf(zipped)],
    ['3dtiles', 'export/v1/tileset.json', []],
  );
  assert.equal((await inspectFile('berlin.3tz', zipOfFiles(files))).format, '3dtiles');
  const sibling = await inspectSubject(subjectOf({ ...files, 'other.json': tileset(root) }, 'other.json'));
  assert.deepEqual([sibling!.format, codesOf(sibling!)], ['3dtiles', []]);
  const alone = await inspectFile('tileset.json', files['tileset.json']);
  assert.deepEqual(codesOf(alone), ['missingFiles']);
  const folder = await inspectFolder(inner);
  assert.equal(folder.format, '3dtiles');
});

test('1.1 with implicit tiles, metadata and extensions', async () => {
  const implicit = {
    boundingVolume: root.boundingVolume,
    geometricError: 10,
    content: { uri: 'c/{level}/{x}/{y}.glb' },
    implicitTiling: {
      subdivisionScheme: 'QUADTREE',
      subtreeLevels: 3,
      availableLevels: 9,
      subtrees: { uri: 's/{level}.{x}.{y}.subtree' },
    },
  };
  const more = {
    asset: { version: '1.1', tilesetVersion: '7' },
    schema: { id: 's', classes: { building: { properties: { storeys: { type: 'SCALAR' } } } } },
    extensionsRequired: ['3DTILES_content_voxels'],
  };
  const text = tileset(implicit, more);
  const report = await inspectFolder({ 'tileset.json': text, 's/0.0.0.subtree': 'subt' });
  const [layer] = report.layers;
  assert.deepEqual(
    [report.formatVersion, codesOf(report), layer!.isEstimated],
    ['1.1', ['unsupportedExtension'], true],
  );
  assert.deepEqual(layer!.details!['implicitTiling'], {
    subdivisionScheme: 'QUADTREE',
    subtreeLevels: 3,
    availableLevels: 9,
    subtrees: 's/{level}.{x}.{y}.subtree',
  });
  assert.deepEqual(
    layer!.fields.map(({ name }) => name),
    ['storeys'],
  );
  assert.ok(codesOf(await inspectFolder({ 'tileset.json': text })).includes('missingFiles'));
});

test('point clouds are distinguished from meshes', async () => {
  const points = glbOf({
    ...triangleGltf({ byteLength: 44 }),
    meshes: [{ primitives: [{ mode: 0, attributes: { POSITION: 0 } }] }],
  });
  const pnts = Buffer.alloc(28 + 24);
  pnts.write('pnts');
  for (const [i, value] of [1, 52, 24, 0, 0, 0].entries()) pnts.writeUInt32LE(value, 4 + i * 4);
  pnts.write('{"POINTS_LENGTH":12345} ', 28);
  for (const [uri, content, type] of [
    ['a.glb', points, 'glb (points)'],
    ['a.pnts', pnts, 'pnts'],
  ] as const) {
    const report = await inspectFolder({
      'tileset.json': tileset({ ...root, children: [], content: { uri } }),
      [uri]: content,
    });
    const { details, geometryTypes } = report.layers[0]!;
    assert.deepEqual(
      [details!['content'], details!['contentTypes'], geometryTypes],
      ['points', { [type]: 1 }, ['Point']],
    );
  }
});

test('nested tilesets are counted, and the report of a single tile names what is missing', async () => {
  const outer = tileset({ ...root, children: [], content: { uri: 'inner/tileset.json' } });
  const report = await inspectFolder({ 'tileset.json': outer, 'inner/tileset.json': files['tileset.json'] });
  assert.deepEqual(
    [report.layers[0]!.details!['externalTilesets'], report.layers[0]!.isEstimated],
    [1, true],
  );
  const tile = await inspectFile('0.b3dm', b3dm());
  assert.deepEqual([tile.format, codesOf(tile)], ['b3dm', ['singleTile']]);
});

test('deep, wide and false tilesets still yield a report', async () => {
  let deep = '{"boundingVolume":{"region":[0,0,0,0,0,0]},"geometricError":1';
  deep = `{"asset":{"version":"1.0"},"geometricError":1,"root":${`${deep},"children":[`.repeat(100_000)}${']}'.repeat(100_000)}}`;
  assert.equal((await inspectFile('tileset.json', deep)).layers[0]!.details!['levels'], 100_000);
  const broken = tileset({
    boundingVolume: { region: [1, 2, 'x'] },
    children: [1, null, 'x', {}],
    content: 7,
    transform: [1],
  });
  assert.deepEqual(codesOf(await inspectFile('tileset.json', broken)), [
    'noPlace',
    'brokenTile',
    'noFeatures',
  ]);
  assert.deepEqual(
    codesOf(await inspectFile('tileset.json', '{"asset":{"version":"1.0"},"geometricError":1}')),
    ['brokenFile'],
  );
  assert.ok(
    codesOf(await inspectFile('tileset.json', files['tileset.json'].slice(0, -10))).includes('brokenFile'),
  );
});

test('damage gives a report with an issue, in little memory', { timeout: 120_000 }, async () => {
  await survivesDamage(files, 'tileset.json', undefined);
  await survivesDamage(files, 'a/0.b3dm', undefined);
  await survivesDamage({ 'a.3tz': zipOfFiles(files) }, 'a.3tz', 'a.3tz');
});
