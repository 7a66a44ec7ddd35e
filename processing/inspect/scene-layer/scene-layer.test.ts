import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openZip } from '@platen/formats/zip/open-zip';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { codesOf, inspectFile, inspectFolder, sampleFile, survivesDamage } from '../testing-subject.ts';

const layer = {
  id: 0,
  name: 'Harbour',
  layerType: '3DObject',
  spatialReference: { wkid: 4326, latestWkid: 4326, vcsWkid: 115700 },
  heightModelInfo: { heightModel: 'ellipsoidal', vertCRS: 'WGS_84', heightUnit: 'meter' },
  fields: [
    { name: 'OBJECTID', type: 'esriFieldTypeOID' },
    { name: 'street', type: 'esriFieldTypeString' },
  ],
  store: { version: '1.8', extent: [9.9, 53.5, 10, 53.6], textureEncoding: ['image/jpeg'] },
  nodePages: { nodesPerPage: 2, lodSelectionMetricType: 'maxScreenThresholdSQ' },
  geometryDefinitions: [{ geometryBuffers: [{ offset: 8, position: { type: 'Float32', component: 3 } }] }],
};
const node = (index: number) => ({
  index,
  obb: { center: [9.95, 53.55, 10], halfSize: [1, 1, 1], quaternion: [0, 0, 0, 1] },
  mesh: {
    material: { definition: 0 },
    geometry: { definition: 0, resource: index, vertexCount: 6, featureCount: 2 },
  },
});
function geometry(): Buffer {
  const bytes = Buffer.alloc(8 + 72);
  bytes.writeUInt32LE(6, 0);
  const corners = [0, 0, 0, 1e-4, 0, 0, 1e-4, 1e-4, 9, 0, 0, 0, 1e-4, 1e-4, 9, 0, 1e-4, 9];
  for (const [i, value] of corners.entries()) bytes.writeFloatLE(value, 8 + i * 4);
  return bytes;
}
const gz = (value: object) => gzipSync(JSON.stringify(value));
const scene = (changed: object = {}) => ({
  '3dSceneLayer.json.gz': gz({ ...layer, ...changed }),
  'metadata.json': '{"I3SVersion":"1.8","nodeCount":3}',
  'nodepages/0.json.gz': gz({ nodes: [{ index: 0, children: [1, 2] }, node(1)] }),
  'nodepages/1.json.gz': gz({ nodes: [node(2)] }),
  'nodes/1/geometries/0.bin.gz': gzipSync(geometry()),
  'nodes/2/geometries/0.bin.gz': gzipSync(geometry()),
});

test('the report of a scene layer contains its nodes, features, fields and heights', async () => {
  const report = await inspectFile('harbour.slpk', zipOfFiles(scene()));
  assert.deepEqual([report.format, report.formatVersion, report.kind], ['i3s', '1.8', 'sceneLayer']);
  assert.deepEqual(codesOf(report), []);
  const [only] = report.layers;
  assert.deepEqual([only!.name, only!.featureCount, only!.isEstimated], ['Harbour', 4, false]);
  assert.deepEqual([only!.crs!.code, only!.bbox], ['EPSG:4326', [9.9, 53.5, 10, 53.6]]);
  assert.deepEqual(
    [only!.details!['nodes'], only!.details!['vertices'], only!.details!['nodePages']],
    [3, 12, 2],
  );
  assert.deepEqual(only!.fields.map(({ name, type }) => [name, type]), [['OBJECTID', 'integer'], ['street', 'string']]); // prettier-ignore
  assert.deepEqual([report.uses[0]!.type, report.uses[0]!.confidence], ['i3s', 0.95]);
  assert.ok(report.thumbnail !== undefined);
});

test('unsupported scene layers are reported with advice', async () => {
  const codes = async (changed: object) => {
    const report = await inspectFolder(scene(changed));
    assert.ok(report.uses[0]!.confidence < 0.2 || codesOf(report).length === 0);
    return codesOf(report);
  };
  const mercator = { wkid: 102100, latestWkid: 3857 };
  assert.deepEqual(
    await codes({ spatialReference: mercator, store: { ...layer.store, extent: [1e6, 6e6, 1.1e6, 6.1e6] } }),
    ['notLonLat'],
  );
  assert.deepEqual(await codes({ layerType: 'PointCloud' }), ['unsupportedLayerType']);
  assert.deepEqual(await codes({ store: { ...layer.store, version: '1.9' } }), ['unsupportedVersion']);
  assert.deepEqual(await codes({ layerType: 'IntegratedMesh' }), []);
});

test('heights above the geoid are pointed to', async () => {
  const heights = { heightModelInfo: { heightModel: 'gravity_related_height', vertCRS: 'EGM96_Geoid' } };
  const report = await inspectFolder(scene(heights));
  assert.deepEqual([codesOf(report), report.layers[0]!.verticalDatum], [['gravityHeights'], 'EGM96_Geoid']);
});

test('a layer is found in an unpacked folder and in a zip, and missing pages or geometries are reported', async () => {
  const unpacked = Object.fromEntries(
    Object.entries(scene()).map(([name, content]) => [
      `Harbour.slpk/${name.replace(/\.gz$/, '')}`,
      name.endsWith('.gz') ? gunzipSync(content) : content,
    ]),
  );
  assert.deepEqual(codesOf(await inspectFolder(unpacked)), []);
  assert.equal((await inspectFile('a.zip', zipOfFiles(unpacked))).layers[0]!.featureCount, 4);
  const { 'nodes/2/geometries/0.bin.gz': _, ...some } = scene();
  const report = await inspectFolder(some);
  assert.deepEqual([codesOf(report), report.uses[0]!.confidence], [['missingFiles'], 0.5]);
});

test('a building is described by its sublayers', async () => {
  const { store: _, nodePages: __, geometryDefinitions: ___, ...building } = layer;
  const sublayers = [
    {
      id: 9,
      layerType: 'group',
      name: 'Full Model',
      sublayers: [{ id: 1, layerType: '3DObject', name: 'Walls' }],
    },
  ];
  const below = Object.entries(scene()).map(([name, content]) => [`sublayers/1/${name}`, content]);
  const report = await inspectFolder({
    ...Object.fromEntries(below),
    '3dSceneLayer.json.gz': gz({ ...building, layerType: 'Building', sublayers }),
  });
  const [only] = report.layers;
  assert.deepEqual([report.formatVersion, codesOf(report), only!.featureCount], ['1.8', [], 4]);
  assert.deepEqual(only!.details!['sublayers'], [{ id: 1, layerType: '3DObject', name: 'Walls' }]);
  assert.ok(report.thumbnail !== undefined);
});

test('damage gives a report with an issue, in little memory', { timeout: 120_000 }, async () => {
  const text = { '3dSceneLayer.json': JSON.stringify(layer) };
  const { '3dSceneLayer.json.gz': _, ...rest } = scene();
  await survivesDamage({ ...rest, ...text }, '3dSceneLayer.json', undefined);
  const pages = { 'nodepages/0.json': JSON.stringify({ nodes: [node(0), node(1)] }) };
  const { 'nodepages/0.json.gz': __, ...others } = scene();
  await survivesDamage({ ...others, ...pages }, 'nodepages/0.json', undefined);
  await survivesDamage({ 'a.slpk': zipOfFiles(scene()) }, 'a.slpk', 'a.slpk');
});

const subset = sampleFile('i3s/DA12_subset.slpk');
test('a part of Manhattan', { skip: subset.skip }, async () => {
  const content = await subset.read();
  const report = await inspectFile(subset.name, content);
  const [only] = report.layers;
  assert.deepEqual(
    [report.format, report.formatVersion, codesOf(report)],
    ['i3s', '1.7', ['gravityHeights']],
  );
  assert.deepEqual(
    [only!.featureCount, only!.details!['nodes'], only!.verticalDatum],
    [158, 32, 'EGM96 height'],
  );
  assert.deepEqual(
    only!.bbox!.map((side) => Math.round(side * 100)),
    [-7402, 4071, -7401, 4072],
  );
  assert.equal((await openZip(bytesOf(content))).count, 287);
  assert.ok(report.thumbnail !== undefined);
});
