import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geocentricOf, geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { identity } from '@platen/geo/geodesy/matrix';
import { createGlbBuffer, writeGlb } from '../gltf/write-glb.ts';
import type { MeshModel } from '../mesh-model/mesh-model.ts';
import { SourceError } from '../source/source.ts';
import { objectsByFeature, readTileModel, readTileRows } from './read-tile-model.ts';
import { cmptOf, glbOfTriangles, plainReading, tileOf } from './testing-tiles.ts';

/** The three corners of each feature. */
const cornersOf = (model: MeshModel): number[][] =>
  objectsByFeature(model).objects.map(({ parts }) =>
    [...parts[0]!.positions].map((value) => Math.round(value * 1e6) / 1e6 + 0),
  );
const first = [1, 0, 0, 0, 0, 1, 0, -1, 0];

test('axes, RTC_CENTER in JSON or binary, and CESIUM_RTC place a b3dm', async () => {
  const glb = glbOfTriangles();
  const at = async (
    features: object,
    more: Partial<Parameters<typeof tileOf>[1]> = {},
    upAxis: 'x' | 'y' | 'z' = 'y',
  ) =>
    cornersOf(
      await readTileModel(
        tileOf('b3dm', { features: { BATCH_LENGTH: 2, ...features }, rest: glb, ...more }),
        {
          ...plainReading,
          place: { matrix: identity, upAxis },
        },
      ),
    )[0];
  assert.deepEqual(await at({}), first);
  const moved = [101, 20, 3, 100, 20, 4, 100, 19, 3];
  assert.deepEqual(await at({ RTC_CENTER: [100, 20, 3] }), moved);
  const featureBinary = new Uint8Array(Float32Array.of(100, 20, 3).buffer);
  assert.deepEqual(await at({ RTC_CENTER: { byteOffset: 0 } }, { featureBinary }), moved);
  const rtc = glbOfTriangles((json) => (json['extensions'] = { CESIUM_RTC: { center: [100, 20, 3] } }));
  assert.deepEqual(await at({}, { rest: rtc }), moved);
  assert.deepEqual(await at({}, {}, 'z'), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual(await at({}, {}, 'x'), [0, 0, 1, 0, 1, 0, -1, 0, 0]);
});

test('batch tables keep their types: JSON, binary columns, vectors, nested objects and hierarchies', async () => {
  const batch = {
    name: ['Haus', 'Turm'],
    storeys: [2, 9],
    open: [true, false],
    height: { byteOffset: 0, componentType: 'DOUBLE', type: 'SCALAR' },
    size: { byteOffset: 16, componentType: 'UNSIGNED_SHORT', type: 'VEC2' },
    attributes: [{ Straße: 'Gasse 1', nested: { a: 1 } }, { Straße: 'Gasse 2' }],
    missing: [null, 7],
    extensions: {
      '3DTILES_batch_table_hierarchy': {
        instancesLength: 3,
        classIds: [0, 0, 1],
        parentIds: [2, 2, 2],
        classes: [
          { name: 'Wall', length: 2, instances: { paint: ['blue', 'red'] } },
          { name: 'Building', length: 1, instances: { paint: ['none'], address: ['Main Street'] } },
        ],
      },
    },
  };
  const batchBinary = Buffer.alloc(24);
  for (const [i, value] of [3.5, 41.25].entries()) batchBinary.writeDoubleLE(value, i * 8);
  for (const [i, value] of [1, 2, 3, 4].entries()) batchBinary.writeUInt16LE(value, 16 + i * 2);
  const tile = tileOf('b3dm', { features: { BATCH_LENGTH: 2 }, batch, batchBinary, rest: glbOfTriangles() });
  const expected = [
    {
      name: 'Haus',
      storeys: 2,
      open: true,
      height: 3.5,
      size: '1; 2',
      Straße: 'Gasse 1',
      'nested.a': 1,
      paint: 'blue',
      class: 'Wall',
      address: 'Main Street',
    },
    {
      name: 'Turm',
      storeys: 9,
      open: false,
      height: 41.25,
      size: '3; 4',
      Straße: 'Gasse 2',
      missing: 7,
      paint: 'red',
      class: 'Wall',
      address: 'Main Street',
    },
  ];
  const rows = await readTileRows(tile, plainReading);
  assert.deepEqual(
    rows.map((row) => Object.fromEntries(row)),
    expected,
  );
  const { objects } = objectsByFeature(await readTileModel(tile, plainReading));
  assert.deepEqual(
    objects.map((one) => [one.class, one.attributes.get('name')]),
    [
      ['Wall', 'Haus'],
      ['Wall', 'Turm'],
    ],
  );
});

test('instances stand at their places, turned, scaled, and east, north and up', async () => {
  const rest = glbOfTriangles();
  const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
  const featureBinary = Buffer.concat([
    floats(10, 0, 0, 20, 0, 0),
    floats(0, 1, 0, 0, 0, 1), // up
    floats(1, 0, 0, 0, 1, 0), // right
    floats(1, 2), // scale
  ]);
  const turned = tileOf('i3dm', {
    features: {
      INSTANCES_LENGTH: 2,
      POSITION: { byteOffset: 0 },
      NORMAL_UP: { byteOffset: 24 },
      NORMAL_RIGHT: { byteOffset: 48 },
      SCALE: { byteOffset: 72 },
    },
    featureBinary,
    batch: { name: ['a', 'b'] },
    rest,
  });
  const model = await readTileModel(turned, plainReading);
  const corners = model.objects[0]!.parts.map(({ positions }) =>
    [...positions.subarray(0, 9)].map((value) => value + 0),
  );
  assert.deepEqual(corners[0], [11, 0, 0, 10, 0, 1, 10, -1, 0]);
  // x turns to y, y to z, z to x, and all is twice as large
  assert.deepEqual(corners[1], [20, 2, 0, 22, 0, 0, 20, 0, -2]);
  assert.deepEqual(
    model.rows!.map((row) => row.get('name')),
    ['a', 'b'],
  );

  const position = geocentricOf(11, 48, 500);
  const upright = tileOf('i3dm', {
    features: { INSTANCES_LENGTH: 1, RTC_CENTER: position, POSITION: { byteOffset: 0 }, EAST_NORTH_UP: true },
    featureBinary: floats(0, 0, 0),
    rest,
  });
  const { objects } = await readTileModel(upright, plainReading);
  const top = [...objects[0]!.parts[0]!.positions.subarray(3, 6)] as unknown as Vector;
  const [lon, lat, height] = geodeticOf(top);
  assert.ok(Math.abs(lon - 11) < 1e-9 && Math.abs(lat - 48) < 1e-9 && Math.abs(height - 501) < 1e-6);
});

test('a composite has the features of all of its tiles', async () => {
  const one = (name: string): Uint8Array =>
    tileOf('b3dm', {
      features: { BATCH_LENGTH: 2 },
      batch: { name: [`${name}0`, `${name}1`] },
      rest: glbOfTriangles(),
    });
  const { objects } = objectsByFeature(
    await readTileModel(cmptOf(one('a'), cmptOf(one('b'), one('c'))), plainReading),
  );
  assert.deepEqual(
    objects.map(({ attributes }) => attributes.get('name')),
    ['a0', 'a1', 'b0', 'b1', 'c0', 'c1'],
  );
});

test('features of a glTF have the attributes of its property table: numbers of all kinds, enums, lists', async () => {
  const glb = glbWithTable();
  const model = await readTileModel(glb, plainReading);
  assert.deepEqual(
    model.rows!.map((row) => Object.fromEntries(row)),
    [
      { Höhe: 3.5, count: 7, large: '9007199254740993', use: 'shop', list: '1; 2', open: true },
      { Höhe: -1, large: 5, use: 'home', list: '3', open: false },
    ],
  );
  const { objects } = objectsByFeature(model);
  assert.deepEqual(
    objects.map(({ parts }) => [...parts[0]!.positions].map((value) => value + 0)),
    [first, first.map((value, i) => (i % 3 === 0 ? value + 10 : value))],
  );
});

/** A triangle at two places by EXT_mesh_gpu_instancing, each a row of a property table. */
function glbWithTable(): Uint8Array {
  const buffer = createGlbBuffer();
  const view = (array: ArrayBufferView): number =>
    buffer.addView(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const positions = view(Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1));
  const translations = view(Float32Array.of(0, 0, 0, 10, 0, 0));
  const properties = {
    height: { values: view(Int16Array.of(45, 0)) },
    count: { values: view(Uint32Array.of(7, 99)) },
    large: { values: view(BigInt64Array.of(9007199254740993n, 5n)) },
    use: { values: view(Uint8Array.of(1, 0)) },
    list: {
      values: view(Float32Array.of(1, 2, 3)),
      arrayOffsets: view(Uint8Array.of(0, 2, 3)),
      arrayOffsetType: 'UINT8',
    },
    open: { values: view(Uint8Array.of(1)) },
  };
  const schema = {
    enums: {
      use: {
        valueType: 'UINT8',
        values: [
          { name: 'home', value: 0 },
          { name: 'shop', value: 1 },
        ],
      },
    },
    classes: {
      house: {
        properties: {
          height: { name: 'Höhe', type: 'SCALAR', componentType: 'INT16', scale: 0.1, offset: -1 },
          count: { type: 'SCALAR', componentType: 'UINT32', noData: 99 },
          large: { type: 'SCALAR', componentType: 'INT64' },
          use: { type: 'ENUM', enumType: 'use' },
          list: { type: 'SCALAR', componentType: 'FLOAT32', array: true },
          open: { type: 'BOOLEAN' },
        },
      },
    },
  };
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      {
        mesh: 0,
        extensions: {
          EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } },
          EXT_instance_features: { featureIds: [{ featureCount: 2, propertyTable: 0 }] },
        },
      },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [
      { bufferView: positions, componentType: 5126, count: 3, type: 'VEC3' },
      { bufferView: translations, componentType: 5126, count: 2, type: 'VEC3' },
    ],
    bufferViews: buffer.bufferViews,
    buffers: [{ byteLength: buffer.length }],
    extensions: {
      EXT_structural_metadata: { schema, propertyTables: [{ class: 'house', count: 2, properties }] },
    },
  };
  return writeGlb(json, buffer.content());
}

test('points, old glTF and damaged tables are named', async () => {
  const notices: string[] = [];
  const pnts = Buffer.alloc(28);
  pnts.write('pnts');
  pnts.writeUInt32LE(28, 8);
  const model = await readTileModel(pnts, { ...plainReading, onNotice: (_, detail) => notices.push(detail) });
  assert.deepEqual([model.objects, notices], [[], ['pnts: it has no triangles']]);
  const old = glbOfTriangles((json) => (json['asset'] = { version: '1.0' }));
  const tile = tileOf('b3dm', { features: { BATCH_LENGTH: 2 }, rest: old });
  await assert.rejects(readTileModel(tile, plainReading), /glTF version 1.0: convert it to 2.0/);
  for (const damaged of [
    tile.subarray(0, 20),
    tile.subarray(0, 60),
    Buffer.from('nonsense!'),
    Buffer.alloc(0),
  ])
    await assert.rejects(readTileModel(damaged, plainReading), SourceError);
  const lying = tileOf('b3dm', { features: { BATCH_LENGTH: 4e9 }, rest: glbOfTriangles() });
  await assert.rejects(readTileRows(lying, plainReading), /claims 4000000000 features/);
});
