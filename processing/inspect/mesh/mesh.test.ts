import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ifcOfWall, mapConversion } from '@platen/formats/ifc/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { packWithDraco } from '@platen/formats/mesh/draco/testing';
import { glbOf, triangleBuffer, triangleGlb, triangleGltf } from '../testing-glb.ts';
import {
  codesOf,
  endlessBytes,
  inspectFile,
  inspectSubject,
  subjectOf,
  survivesDamage,
} from '../testing-subject.ts';

const extentOf = (details: unknown) => (details as { extent: { min: number[]; max: number[] } }).extent;

test('the report of a GLB contains its triangles, its extent through its nodes, and a picture', async () => {
  const report = await inspectFile('house.glb', triangleGlb());
  assert.deepEqual([report.format, report.formatVersion, report.kind], ['glb', '2.0', 'mesh']);
  const [layer] = report.layers;
  assert.deepEqual(
    [layer!.name, layer!.featureCount, layer!.crs, layer!.bbox],
    ['house', 1, undefined, undefined],
  );
  // z upwards
  assert.deepEqual(
    [extentOf(layer!.details).min, extentOf(layer!.details).max],
    [
      [100, 0, 0],
      [110, 20, 5],
    ],
  );
  assert.deepEqual([layer!.details!['vertices'], layer!.details!['materials']], [3, 1]);
  assert.deepEqual(codesOf(report), ['noPlace']);
  assert.ok(report.thumbnail!.startsWith('data:image/png;base64,'));
  const packed = await inspectFile('house.glb', await packWithDraco(triangleGlb()));
  assert.equal(packed.thumbnail, report.thumbnail, 'packed by Draco');
});

test('buffers and textures of a glTF in other files are found, or reported as missing or outside the folder', async () => {
  const gltf = {
    ...triangleGltf({ uri: 'data/a.bin', byteLength: 44 }),
    images: [{ uri: 'roof%20tiles.jpg' }, { uri: '../../etc/passwd' }, { uri: 'https://example.org/a.png' }],
  };
  const files = { 'a.gltf': JSON.stringify(gltf), 'data/a.bin': triangleBuffer(), 'roof tiles.jpg': 'x' };
  const report = await inspectSubject(subjectOf(files, 'a.gltf'));
  assert.deepEqual([report!.format, codesOf(report!)], ['gltf', ['outsideReference', 'noPlace']]);
  assert.ok(report!.thumbnail !== undefined);
  const alone = await inspectFile('a.gltf', files['a.gltf']);
  assert.deepEqual(codesOf(alone), ['missingFiles', 'outsideReference', 'missingFiles', 'noPlace']);
  assert.equal(alone.layers[0]!.featureCount, 1);
  assert.equal(alone.thumbnail, undefined);
});

test('a glTF can contain a buffer as base64', async () => {
  const uri = `data:application/octet-stream;base64,${triangleBuffer().toString('base64')}`;
  const report = await inspectFile('a.gltf', JSON.stringify(triangleGltf({ uri, byteLength: 44 })));
  assert.deepEqual(codesOf(report), ['noPlace']);
  assert.ok(report.thumbnail !== undefined);
});

test('unsupported extensions, old versions and broken references are reported', async () => {
  const plain = triangleGltf({ byteLength: 44 });
  const codes = async (changed: object) =>
    codesOf(await inspectFile('a.glb', glbOf({ ...plain, ...changed })));
  assert.deepEqual(await codes({ extensionsRequired: ['KHR_texture_basisu'] }), ['noPlace']);
  assert.deepEqual(await codes({ extensionsRequired: ['EXT_of_tomorrow'] }), [
    'unsupportedExtension',
    'noPlace',
  ]);
  assert.ok((await codes({ asset: { version: '1.0' } })).includes('unknownVersion'));
  assert.ok(
    (await codes({ meshes: [{ primitives: [{ attributes: { POSITION: 9 } }] }] })).includes(
      'brokenReference',
    ),
  );
});

test('nodes that contain themselves end, and so do very many and very deep ones', async () => {
  const plain = triangleGltf({ byteLength: 44 });
  const cyclic = { ...plain, nodes: [{ mesh: 0, children: [1] }, { children: [0, 1] }] };
  assert.ok(codesOf(await inspectFile('a.glb', glbOf(cyclic))).includes('cyclicNodes'));
  // each is in the next one twice: 2^40 of them would have to be drawn
  const doubled = Array.from({ length: 40 }, (_, i) => ({ children: [i + 1, i + 1] }));
  const exploding = { ...plain, nodes: [...doubled, { mesh: 0 }] };
  assert.ok(codesOf(await inspectFile('a.glb', glbOf(exploding))).includes('manyNodes'));
  const chain = Array.from({ length: 50_000 }, (_, i) => ({ children: [i + 1] }));
  assert.ok(codesOf(await inspectFile('a.glb', glbOf({ ...plain, nodes: chain }))).includes('manyNodes'));
});

test('counts that no file has take no memory', async () => {
  const plain = triangleGltf({ byteLength: 44 });
  const accessors = [
    { bufferView: 0, componentType: 5126, count: 4e9, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
    { bufferView: 1, componentType: 5125, count: 9e15, type: 'SCALAR' },
  ];
  const before = process.memoryUsage().rss;
  assert.equal((await inspectFile('a.glb', glbOf({ ...plain, accessors }))).format, 'glb');
  const ply =
    'ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n';
  assert.deepEqual(codesOf(await inspectFile('a.ply', ply)), ['truncatedFile']);
  assert.ok(process.memoryUsage().rss - before < 100 * 2 ** 20);
  const header = Buffer.alloc(20);
  header.write('glTF');
  for (const [i, value] of [2, 2 ** 32 - 1, 2 ** 32 - 1, 0x4e4f534a].entries())
    header.writeUInt32LE(value, 4 + i * 4);
  assert.deepEqual(codesOf(await inspectFile('a.glb', header)), ['brokenFile']);
});

test('JSON nested a million deep is reported without recursion', async () => {
  const deep = `{"asset":{"version":"2.0"},"nodes":[],"scenes":[],"extras":${'['.repeat(1e6)}${']'.repeat(1e6)}}`;
  assert.equal((await inspectFile('a.gltf', deep)).format, 'gltf');
});

test('large coordinates look like UTM, or like geocentric ones', async () => {
  const words = async (x: number, y: number, z: number) => {
    const obj = [0, 10, 20].map((d) => `v ${x + d} ${y + d * 2} ${z + d}`).join('\n');
    const { issues } = await inspectFile('a.obj', `${obj}\nf 1 2 3\n`);
    return issues.find(({ code }) => code === 'noPlace')!.message;
  };
  assert.match(await words(691_000, 5_336_000, 500), /EPSG:25832/);
  assert.match(await words(4_178_000, 856_000, 4_728_000), /EPSG:4978/);
  assert.doesNotMatch(await words(0, 0, 0), /EPSG/);
});

const obj = `# made by hand
mtllib house.mtl
o house
v 0 0 0
v 10 0 0
v 10 10 5
v 0 10 5
vt 0 0
usemtl roof
f 1/1 2/1 3/1 4/1
f -4 -3 -2
`;

test('the report of an OBJ contains its materials and textures', async () => {
  const mtl = 'newmtl roof\nmap_Kd -s 1 1 1 textures/roof.jpg\nmap_Bump -bm 0.5 bump map.png\n';
  const files = { 'house.obj': obj, 'house.mtl': mtl, 'textures/roof.jpg': 'x', 'bump map.png': 'x' };
  const report = await inspectSubject(subjectOf(files, 'house.obj'));
  assert.deepEqual([report!.format, codesOf(report!)], ['obj', ['noPlace']]);
  const [layer] = report!.layers;
  assert.equal(layer!.featureCount, 3);
  assert.deepEqual(layer!.details!['textures'], { count: 2 });
  assert.deepEqual(
    [layer!.details!['faces'], layer!.details!['groups'], layer!.details!['vertices']],
    [2, 1, 4],
  );
  assert.ok(report!.thumbnail !== undefined);
  const alone = await inspectFile('house.obj', obj);
  assert.deepEqual(codesOf(alone), ['missingFiles', 'noPlace']);
  assert.match(alone.issues[0]!.message, /house\.mtl/);
  const zipped = await inspectFile('house.zip', zipOfFiles({ 'a/house.obj': obj, 'a/house.mtl': mtl }));
  assert.deepEqual(codesOf(zipped), ['missingFiles', 'noPlace']);
  assert.equal((await inspectFile('house.obj.gz', gzipSync(obj))).layers[0]!.featureCount, 3);
});

test('faces of vertices that do not exist are counted, and those of a large file estimated', async () => {
  const broken = `v 0 0 0\nv 1 0\nv 1 2 x\nf 1 2 99\nf 1 2\n`;
  assert.ok(codesOf(await inspectFile('a.obj', broken)).includes('badGeometry'));
  const piece = 'v 1 2 3\nv 4 5 6\nv 7 8 10\nf -3 -2 -1\n';
  const { bytes, times } = endlessBytes('# large\n', piece, '', 3 * 2 ** 30);
  const [layer] = (await inspectFile('a.obj', bytes)).layers;
  assert.equal(layer!.isEstimated, true);
  assert.ok(Math.abs(layer!.featureCount! / times - 1) < 0.02);
});

test('a PLY is a mesh with faces and a point cloud without', async () => {
  const text = (faces: string) =>
    `ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n${faces}end_header\n0 0 0\n1 0 0\n0 1 0\n`;
  const mesh = await inspectFile(
    'a.ply',
    `${text('element face 1\nproperty list uchar int vertex_indices\n')}3 0 1 2\n`,
  );
  assert.deepEqual([mesh.kind, mesh.layers[0]!.featureCount], ['mesh', 1]);
  assert.deepEqual([(await inspectFile('a.ply', text(''))).kind], ['pointCloud']);
  const binary = Buffer.concat([
    Buffer.from(text('').replace('ascii', 'binary_little_endian').split('0 0 0\n')[0]!),
    Buffer.from(Float32Array.of(0, 0, 0, 1, 2, 3, 4, 5, 6).buffer),
  ]);
  const cloud = await inspectFile('a.ply', binary);
  assert.deepEqual(extentOf(cloud.layers[0]!.details).max, [4, 5, 6]);
  assert.deepEqual(codesOf(await inspectFile('a.ply', binary.subarray(0, -4))), ['truncatedFile', 'noPlace']);
});

function stl(triangles: number): Buffer {
  const bytes = Buffer.alloc(84 + 50 * triangles);
  bytes.write('made by a test');
  bytes.writeUInt32LE(triangles, 80);
  for (let i = 0; i < triangles; i++)
    for (const [n, value] of [0, 0, 1, 0, 0, i, 10, 0, i, 0, 10, i].entries())
      bytes.writeFloatLE(value, 84 + i * 50 + n * 4);
  return bytes;
}

test('the report of an STL, binary or text, says if the file is truncated', async () => {
  const report = await inspectFile('a.stl', stl(20));
  assert.deepEqual(
    [report.format, report.layers[0]!.featureCount, codesOf(report)],
    ['stl', 20, ['noPlace']],
  );
  assert.deepEqual(extentOf(report.layers[0]!.details).max, [10, 10, 19]);
  assert.ok(report.thumbnail !== undefined);
  assert.ok(codesOf(await inspectFile('a.stl', stl(20).subarray(0, 600))).includes('truncatedFile'));
  const text = `solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid a\n`;
  const ascii = await inspectFile('a.stl', text);
  assert.deepEqual([ascii.format, ascii.layers[0]!.featureCount, codesOf(ascii)], ['stl', 1, ['noPlace']]);
  assert.ok(codesOf(await inspectFile('a.stl', text.slice(0, -12))).includes('truncatedFile'));
});

test('tables, texts and other JSON are not models', async () => {
  for (const content of [
    'v,w\n1,2\n',
    'v 1\nhello\n',
    '{"asset":1}',
    '{"type":"FeatureCollection","features":[]}',
    'glT',
    '',
  ])
    assert.equal(await inspectSubject(subjectOf({ 'a.obj': content }, 'a.obj')), undefined, content);
});

test('damage gives a report with an issue, in little memory', { timeout: 120_000 }, async () => {
  const gltf = JSON.stringify(triangleGltf({ uri: 'a.bin', byteLength: 44 }));
  await survivesDamage({ 'a.glb': triangleGlb() }, 'a.glb', 'a.glb');
  await survivesDamage({ 'a.gltf': gltf, 'a.bin': triangleBuffer() }, 'a.gltf', 'a.gltf');
  await survivesDamage({ 'a.obj': obj, 'house.mtl': 'map_Kd a.jpg' }, 'a.obj', 'a.obj');
  await survivesDamage({ 'a.obj': obj, 'house.mtl': 'map_Kd -o 1 2 a.jpg' }, 'house.mtl', 'a.obj');
  await survivesDamage({ 'a.stl': stl(20) }, 'a.stl', 'a.stl');
  const ply =
    'ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty double y\nproperty float z\nend_header\n';
  await survivesDamage({ 'a.ply': Buffer.concat([Buffer.from(ply), Buffer.alloc(48)]) }, 'a.ply', 'a.ply');
});

test('the report of an IFC has its products, and its place where it says one', async () => {
  const report = await inspectFile('house.ifc', ifcOfWall());
  assert.deepEqual([report.format, report.formatVersion, report.kind], ['ifc', '4', 'mesh']);
  const [layer] = report.layers;
  assert.equal(layer!.featureCount, 1);
  assert.deepEqual(layer!.details!['classes'], { IfcWall: 1 });
  assert.deepEqual(codesOf(report), ['noPlace']);
  assert.ok(report.thumbnail !== undefined);
  const placed = await inspectFile('house.ifc', ifcOfWall({ place: mapConversion('1.') }));
  assert.deepEqual(codesOf(placed), []);
  const [west = 0, south = 0, east = 0, north = 0] = placed.layers[0]!.bbox!;
  assert.ok(11.5 < west && west < east && east < 11.6 && 48.1 < south && south < north && north < 48.2);
  const site = '(48,6,0,0),(11,30,0,0),520000.';
  const sited = await inspectFile('house.ifc', ifcOfWall({ site }));
  assert.deepEqual(codesOf(sited), ['placeOfSite']);
  assert.ok(Math.abs(sited.layers[0]!.bbox![0]! - 11.5) < 1e-6);
});
