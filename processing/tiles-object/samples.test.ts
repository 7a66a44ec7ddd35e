import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { geocentricOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { afterFile } from '../../checks/clean-up.ts';
import { tilesetProblems, tilesValidator } from '../models/testing-tiles-validator.ts';
import { problemsOf } from '../models/testing-validator.ts';
import { gmlClass, gmlOfSamples, gmlVersions } from './testing-gml-samples.ts';
import { jsonClass, jsonOfSamples, jsonVersions, linesOfSamples } from './testing-json-samples.ts';
import { facesOf, sampleObjects, type Point, type SampleObject } from './testing-samples.ts';
import { openObjectTests } from './testing.ts';
import { decodeGlb, eachTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const options = {
  heights: { mode: 'asGiven' },
  output: { format: 'folder' },
  tiling: { features: 12 },
} as const;

interface TiledObject {
  readonly row: Readonly<Record<string, unknown>>;
  /** Corners in EPSG:4978. */
  readonly triangles: (readonly [Vector, Vector, Vector])[];
}

const cases: readonly (readonly [
  name: string,
  file: string,
  content: string,
  objects: readonly SampleObject[],
])[] = [
  ...gmlVersions.map((version) => {
    const objects = sampleObjects(version, gmlClass(version));
    return [`CityGML ${version}`, 'all.gml', gmlOfSamples(version, objects), objects.map(withLevel)] as const;
  }),
  ...jsonVersions.map((version) => {
    const objects = sampleObjects('2.0', jsonClass);
    return [`CityJSON ${version}`, 'all.city.json', jsonOfSamples(version, objects), objects] as const;
  }),
  [
    'CityJSONSeq',
    'all.city.jsonl',
    linesOfSamples(sampleObjects('2.0', jsonClass)),
    sampleObjects('2.0', jsonClass),
  ],
];

for (const [name, file, content, objects] of cases)
  test(`${name}: objects of all classes and levels of detail are in the tiles as they are in the model`, async () => {
    const { outputFolder, warnings, rejects } = await tests.run([await tests.put(file, content)], options);
    assert.deepEqual([warnings, rejects], [[], []]);
    const tiled = await objectsIn(join(outputFolder, 'tileset'));
    assert.deepEqual([...tiled.keys()].toSorted(), objects.map(({ id }) => id).toSorted());
    for (const object of objects) {
      const [found, ...others] = tiled.get(object.id)!;
      assert.equal(others.length, 0, `${object.id} is in one leaf`);
      assert.deepEqual(found!.row, { id: object.id, class: object.class, ...object.attributes });
      assertShape(found!, object);
    }
    if (tilesValidator !== undefined) {
      const tileset = join(outputFolder, 'tileset/tileset.json');
      assert.deepEqual(await tilesetProblems(tileset, join(outputFolder, 'report.json')), []);
    }
  });

/** Terrain says its level of detail. */
function withLevel(object: SampleObject): SampleObject {
  if (object.shape !== 'terrain') return object;
  return { ...object, attributes: { ...object.attributes, lod: object.lod } };
}

/** The objects of the leaves by their ids. */
async function objectsIn(folder: string): Promise<Map<string, TiledObject[]>> {
  const objects = new Map<string, TiledObject[]>();
  await eachTile(folder, async ({ content, children = [] }) => {
    if (content === undefined) return;
    const glb = await readFile(join(folder, content.uri));
    assert.deepEqual(await problemsOf(glb), [], content.uri);
    if (children.length > 0) return;
    const { rows, primitives } = await decodeGlb(glb);
    const own = rows.map((row): TiledObject => ({ row, triangles: [] }));
    for (const { places, indices, features } of primitives)
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [places[indices[i]!]!, places[indices[i + 1]!]!, places[indices[i + 2]!]!];
        own[features[indices[i]!]!]!.triangles.push([a, b, c]);
      }
    for (const one of own) {
      const id = String(one.row['id']);
      objects.set(id, [...(objects.get(id) ?? []), one]);
    }
  });
  return objects;
}

/** By the exact transformation. */
function exactly([x, y, z]: Point): Vector {
  const place = Float64Array.of(x, y);
  findCrs('EPSG:25832').toLonLat(place, 1);
  return geocentricOf(place[0]!, place[1]!, z);
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = ([a, b, c]: Vector, [d, e, f]: Vector): Vector => [b * f - c * e, c * d - a * f, a * e - b * d];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const distance = (a: Vector, b: Vector): number => Math.hypot(...minus(a, b));

/** Twice the area of a ring times its direction. */
function normalOf(ring: readonly Vector[]): Vector {
  const sum = [0, 0, 0] as [number, number, number];
  const [first] = ring as [Vector];
  for (let i = 1; i + 1 < ring.length; i++)
    for (const [axis, value] of cross(minus(ring[i]!, first), minus(ring[i + 1]!, first)).entries())
      sum[axis]! += value;
  return sum;
}

function assertShape({ triangles }: TiledObject, object: SampleObject): void {
  const { id, shape } = object;
  const faces = facesOf(object).map(({ rings }) => rings.map((ring) => ring.map(exactly)));
  // holes turn the other way
  const areas = faces.map((rings) => {
    const normals = rings.map(normalOf);
    return normals.reduce((sum, one) => sum + Math.sign(dot(one, normals[0]!)) * Math.hypot(...one), 0) / 2;
  });
  const expected = areas.reduce((sum, area) => sum + area, 0);
  const area = triangles.reduce((sum, triangle) => sum + Math.hypot(...normalOf(triangle)) / 2, 0);
  assert.ok(Math.abs(area / expected - 1) < 0.005, `${id} has ${area} of ${expected} m²`);
  const corners = faces.flat(2);
  for (const place of triangles.flat())
    assert.ok(Math.min(...corners.map((corner) => distance(corner, place))) < 0.01, `${id} is elsewhere`);
  for (const corner of corners)
    assert.ok(
      Math.min(...triangles.flat().map((place) => distance(corner, place))) < 0.01,
      `${id} lacks a corner`,
    );
  if (shape !== 'surfaces' && shape !== 'terrain') assertSolid(id, triangles, corners);
  else {
    const [x, y, z] = normalOf(triangles[0]!);
    assert.ok(dot([x, y, z], corners[0]!) > 0, `${id} looks upwards`);
  }
}

/** Each edge has one triangle on each of its sides, and the volume is positive: all of them look outwards. */
function assertSolid(id: string, triangles: TiledObject['triangles'], corners: readonly Vector[]): void {
  const numberOf = (place: Vector): number => corners.findIndex((corner) => distance(corner, place) < 0.01);
  const edges = new Map<string, number>();
  let volume = 0;
  for (const triangle of triangles) {
    const numbers = triangle.map(numberOf);
    for (const [i, number] of numbers.entries()) {
      const next = numbers[(i + 1) % 3]!;
      const key = `${Math.min(number, next)} ${Math.max(number, next)}`;
      edges.set(key, (edges.get(key) ?? 0) + (number < next ? 1 : -1));
    }
    const [a, b, c] = triangle.map((place) => minus(place, corners[0]!)) as [Vector, Vector, Vector];
    volume += dot(a, cross(b, c)) / 6;
  }
  assert.deepEqual(
    [...edges].filter(([, sum]) => sum !== 0),
    [],
    `${id} is closed`,
  );
  assert.ok(volume > 0, `${id} looks outwards`);
}
