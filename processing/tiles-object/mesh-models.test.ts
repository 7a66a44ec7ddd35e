import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { packWithDraco } from '@platen/formats/mesh/draco/testing';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { localFrameAt, toLocal } from '@platen/geo/geodesy/local-frame';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure, type JobInput } from '../job-type.ts';
import { boxOf, glbOfBox, objOfBoxes, plyOfBox, stlOfBox, type Point } from '../models/testing-meshes.ts';
import { openObjectTests } from './testing.ts';
import { onlyTile, type DecodedTile } from './testing-tileset.ts';
import type { TilesObjectOptions } from './spec.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const place = { longitude: 11.5, latitude: 48.1, height: 520 };
const green = await sharp({
  create: { width: 64, height: 64, channels: 3, background: { r: 0, g: 180, b: 0 } },
})
  .png()
  .toBuffer();

async function tileOf(inputs: readonly JobInput[], options: TilesObjectOptions = {}) {
  const { outputFolder, warnings, rejects } = await tests.run(inputs, {
    output: { format: 'folder' },
    modelOptions: { placement: place },
    ...options,
  });
  return { tile: await onlyTile(outputFolder), warnings, rejects };
}

/** East, north and up of all vertices, from the place. */
function localOf({ primitives }: DecodedTile): Point[] {
  const frame = localFrameAt(place.longitude, place.latitude, place.height);
  return primitives.flatMap(({ places }) => places.map((one) => toLocal(frame, one)));
}

/** Each corner has a vertex within a centimetre, and each vertex is such a corner. */
function assertCorners(vertices: readonly Point[], corners: readonly Point[]): void {
  const isNear = (a: Point, b: Point): boolean => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 0.01;
  for (const corner of corners)
    assert.ok(
      vertices.some((vertex) => isNear(vertex, corner)),
      `no vertex at ${corner.join(' ')}`,
    );
  for (const vertex of vertices)
    assert.ok(
      corners.some((corner) => isNear(vertex, corner)),
      `a vertex at ${vertex.join(' ')}`,
    );
}

const boxes = {
  hall: [
    [0, 0, 0],
    [20, 10, 5],
  ],
  tower: [
    [30, 0, 0],
    [5, 5, 30],
  ],
} as const;
const corners = Object.values(boxes).flatMap(([at, size]) => boxOf(at, size).corners);
const library = 'newmtl wall\nKd 1 1 1\nmap_Kd -s 1 1 1 tex\\Wall.PNG\n';

test('objects of an OBJ stand where they are placed, with their names and the texture from the zip file', async () => {
  const zip = zipOfFiles({
    'm/town.obj': objOfBoxes(boxes, 'mtllib town.mtl'),
    'm/town.mtl': library,
    'm/tex/wall.png': green,
  });
  const { tile, warnings } = await tileOf([await tests.put('town.zip', zip)]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    tile.rows.map(({ id, class: name }) => [id, name]),
    [
      ['hall', 'Model'],
      ['tower', 'Model'],
    ],
  );
  assertCorners(localOf(tile), corners);
  const [primitive] = tile.primitives;
  assert.equal(tile.json.materials[primitive!.material]!.pbrMetallicRoughness.baseColorTexture?.index, 0);
  const { data } = await sharp(tile.image(0)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  assert.ok(data[0]! < 40 && data[1]! > 140 && data[2]! < 40, data.subarray(0, 3).join());
});

test('a heading turns clockwise, a scale counts, and an upward axis is obeyed', async () => {
  const turned = objOfBoxes({
    box: [
      [0, 0, 0],
      [20_000, 5000, 10_000],
    ],
  });
  const placement = { ...place, heading: 90, scale: 0.001, upAxis: 'y' };
  const { tile } = await tileOf([await tests.put('box.obj', turned)], { modelOptions: { placement } });
  // y up: the box is 20 m along x, 5 m high, and goes 10 m to the south; turned by 90°, x goes south and south goes west
  assertCorners(localOf(tile), boxOf([-10, -20, 0], [10, 20, 5]).corners);
});

test('files that are named and not there are warned of, and nothing outside of the inputs is read', async () => {
  const obj = objOfBoxes(boxes, 'mtllib /etc/passwd\nmtllib town.mtl');
  const zip = zipOfFiles({ 'town.obj': obj, 'town.mtl': 'newmtl wall\nmap_Kd https://example.org/a.png\n' });
  const { tile, warnings } = await tileOf([await tests.put('town.zip', zip)]);
  assert.deepEqual([...new Set(warnings.map(({ code }) => code))].toSorted(), [
    'missingSideFiles',
    'missingTextures',
  ]);
  assert.equal(tile.json.images, undefined);
});

test('nodes of a GLB are objects with the attributes of their extras and the texture within', async () => {
  const extras = { storeys: 3, owner: { name: 'Müller' }, listed: true, tags: ['a', 'b'] };
  const glb = glbOfBox({ image: green, extras });
  const { tile, warnings } = await tileOf([await tests.put('box.glb', glb)]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(tile.rows, [
    {
      id: 'house',
      class: 'Model',
      listed: true,
      name: 'house',
      'owner.name': 'Müller',
      parent: 'site',
      storeys: 3,
      tags: 'a; b',
    },
  ]);
  assertCorners(localOf(tile), boxOf([0, 0, 0], [20, 10, 5]).corners);
  assert.ok(tile.json.images!.length === 1);
});

test('a GLB that is packed by meshopt is read like one that is not', async () => {
  await MeshoptEncoder.ready;
  const plain = glbOfBox();
  const { tile } = await tileOf([await tests.put('plain.glb', plain)]);
  const packed = await readPacked(plain);
  const { tile: other, warnings } = await tileOf([await tests.put('packed.glb', packed)]);
  assert.deepEqual(warnings, []);
  // the codec may turn triangles: their corners are the same
  assertCorners(localOf(other), localOf(tile));
  const { colours } = other.primitives[0]!;
  assert.deepEqual(Array.from(colours!.subarray(0, 4)), [255, 0, 0, 255]);
});

for (const packing of [{}, { method: 'sequential', bits: 14 }] as const)
  test(`a GLB that is packed by Draco is read like one that is not: ${JSON.stringify(packing)}`, async () => {
    const plain = glbOfBox({ image: green, extras: { storeys: 3 } });
    const { tile } = await tileOf([await tests.put('box.glb', plain)]);
    const packed = await packWithDraco(plain, packing);
    const { tile: other, warnings } = await tileOf([await tests.put('box.glb', packed)]);
    assert.deepEqual(warnings, []);
    assertCorners(localOf(other), localOf(tile));
    assert.deepEqual(other.rows, tile.rows);
    const uvsOf = ({ primitives }: DecodedTile) =>
      [...primitives[0]!.uvs!].map((value) => value.toFixed(3)).toSorted();
    assert.deepEqual(uvsOf(other), uvsOf(tile));
  });

test('a GLB whose packed mesh claims more memory than the job has is named, or fails with what to do', async () => {
  const claims = { faces: 4e6, vertices: 2e6 };
  const lying = await tests.put('lying.glb', await packWithDraco(glbOfBox(), { claims }));
  const options = { modelOptions: { placement: place }, processing: { memoryMegabytes: 256 } } as const;
  await assert.rejects(
    tests.run([lying], options),
    (error) => error instanceof JobFailure && /^lying\.glb: .*more memory, or divide/.test(error.message),
  );
  const sound = await tests.put('box.glb', glbOfBox());
  const { warnings } = await tests.run([sound, lying], options);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['unreadableModels'],
  );
});

/** The same GLB with packed positions and indices. */
function readPacked(glb: Uint8Array): Promise<Uint8Array> {
  const buffer = Buffer.from(glb);
  const length = buffer.readUInt32LE(12);
  const json = JSON.parse(buffer.toString('utf8', 20, 20 + length)) as {
    bufferViews: { byteOffset: number; byteLength: number; extensions?: object; buffer: number }[];
    buffers: object[];
    extensionsUsed: string[];
  };
  let binary = buffer.subarray(28 + length);
  for (const [view, count, stride, mode] of [
    [0, 8, 4, 'ATTRIBUTES'],
    [1, 36, 2, 'TRIANGLES'],
  ] as const) {
    const one = json.bufferViews[view]!;
    const source = new Uint8Array(binary.subarray(one.byteOffset, one.byteOffset + one.byteLength));
    const packed = MeshoptEncoder.encodeGltfBuffer(source, count, stride, mode);
    const extension = {
      buffer: 0,
      byteOffset: binary.length,
      byteLength: packed.length,
      byteStride: stride,
      count,
      mode,
    };
    one.extensions = { EXT_meshopt_compression: extension };
    one.buffer = 1;
    binary = Buffer.concat([binary, packed, Buffer.alloc((8 - (packed.length % 8)) % 8)]);
  }
  json.buffers = [{ byteLength: binary.length }, { byteLength: 1000 }];
  json.extensionsUsed.push('EXT_meshopt_compression');
  const text = Buffer.from(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const head = Buffer.from(buffer.subarray(0, 20));
  head.writeUInt32LE(28 + text.length + binary.length, 8);
  head.writeUInt32LE(text.length, 12);
  const second = Buffer.alloc(8);
  second.writeUInt32LE(binary.length, 0);
  second.writeUInt32LE(0x004e4942, 4);
  return Promise.resolve(Buffer.concat([head, text, second, binary]));
}

test('PLY keeps its colours, STL its shape, and several models stand side by side', async () => {
  const [hall, tower] = [boxes.hall, boxes.tower];
  const { tile, warnings } = await tileOf([
    await tests.put('hall.ply', plyOfBox(...hall)),
    await tests.put('tower.stl', stlOfBox(...tower)),
  ]);
  assert.deepEqual(warnings, []);
  assert.equal(tile.rows.length, 2);
  assertCorners(localOf(tile), corners);
  const seen = new Set<string>();
  for (const { colours } of tile.primitives)
    for (let i = 0; i < colours!.length; i += 4) seen.add(colours!.slice(i, i + 3).join());
  assert.ok(seen.has('255,0,0') && seen.has('0,255,0'), [...seen].join(' '));
});

test('coordinates of a coordinate system, less an offset, come out where they are', async () => {
  const obj = objOfBoxes({
    box: [
      [0, 0, 0],
      [20, 10, 5],
    ],
  });
  const offset = [690_000, 5_330_000, 500];
  const { tile } = await tileOf([await tests.put('box.obj', obj)], {
    modelOptions: { placement: { crs: 'EPSG:25832', offset } },
    heights: { mode: 'asGiven' },
  });
  const expected = boxOf([690_000, 5_330_000, 500], [20, 10, 5]).corners.map(([x, y, z]): Point => {
    const plane = Float64Array.of(x, y);
    findCrs('EPSG:25832').toLonLat(plane, 1);
    return geocentricOf(plane[0]!, plane[1]!, z);
  });
  assertCorners(
    tile.primitives.flatMap(({ places }) => places),
    expected,
  );
});

test('flat: the lowest point of the whole model comes onto the ellipsoid, and the rest stays above it', async () => {
  const lifted = {
    low: [
      [0, 0, 3],
      [5, 5, 5],
    ],
    high: [
      [10, 0, 13],
      [5, 5, 5],
    ],
  } as const;
  const { tile } = await tileOf([await tests.put('lifted.obj', objOfBoxes(lifted))], {
    heights: { mode: 'flat' },
  });
  const levels = localOf(tile).map(([, , up]) => Math.round(up + place.height));
  assert.deepEqual(
    [...new Set(levels)].toSorted((a, b) => a - b),
    [0, 5, 10, 15],
  );
});

test('a model that says nothing of its place is refused, with what to do', async () => {
  const input = await tests.put('box.obj', objOfBoxes(boxes));
  await assert.rejects(tests.run([input]), { code: 'unknownPlace', message: /longitude and latitude/ });
  const placement = { ...place, crs: 'EPSG:25832' };
  await assert.rejects(tests.run([input], { modelOptions: { placement } }), { code: 'invalidOption' });
});
