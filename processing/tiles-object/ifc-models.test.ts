import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { ifcOfWall, mapConversion } from '@platen/formats/ifc/testing';
import { geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { afterFile } from '../../checks/clean-up.ts';
import { openObjectTests } from './testing.ts';
import { onlyTile, type DecodedTile } from './testing-tileset.ts';
import type { TilesObjectOptions } from './spec.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

async function tileOf(ifc: string, options: TilesObjectOptions = {}) {
  const { outputFolder, warnings } = await tests.run([await tests.put('house.ifc', ifc)], {
    output: { format: 'folder' },
    heights: { vertical: 'ellipsoid' },
    ...options,
  });
  return { tile: await onlyTile(outputFolder), codes: warnings.map(({ code }) => code) };
}

/** Longitude, latitude and height of the south-western lower corner of the box around a tile. */
function cornerOf(tile: DecodedTile): Vector {
  const places = tile.primitives.flatMap(({ places: all }) => all.map(geodeticOf));
  return [0, 1, 2].map((axis) => Math.min(...places.map((place) => place[axis]!))) as unknown as Vector;
}

function assertNear(actual: Vector, expected: Vector): void {
  const metres = [111_320 * Math.cos((expected[1] * Math.PI) / 180), 111_320, 1] as const;
  for (const [axis, value] of expected.entries())
    assert.ok(
      Math.abs(actual[axis]! - value) * metres[axis]! < 0.02,
      `${actual.join(' ')} is not ${expected.join(' ')}`,
    );
}

test('an IFC with a map conversion stands where that says, each product with its class and properties', async () => {
  const { tile, codes } = await tileOf(ifcOfWall({ place: mapConversion('1.') }));
  assert.deepEqual(codes, []);
  assert.equal(tile.rows.length, 1);
  const [{ id, class: name, Storey, 'Pset_WallCommon.IsExternal': isExternal }] = tile.rows as [
    Record<string, unknown>,
  ];
  assert.deepEqual(
    [id, name, Storey, isExternal],
    ['7$ScRe4drECQ4DMSqUjd6d', 'IfcWall', 'Ground floor', true],
  );
  // the x axis points north, so that the wall goes 0.2 m to the west
  const corner = Float64Array.of(689_999.8, 5_335_000);
  findCrs('EPSG:25832').toLonLat(corner, 1);
  assertNear(cornerOf(tile), [corner[0]!, corner[1]!, 520.5]);
});

test('an IFC with the degrees of its site stands there, which is said, unless a placement says otherwise', async () => {
  const site = '(48,6,0,0),(11,30,0,0),520000.';
  const { tile, codes } = await tileOf(ifcOfWall({ site }));
  assert.deepEqual(codes, ['placedBySite']);
  assertNear(cornerOf(tile), [11.5, 48.1, 520.5]);
  const placement = { longitude: 7, latitude: 50, height: 100 };
  const placed = await tileOf(ifcOfWall({ site }), { modelOptions: { placement } });
  assert.deepEqual(placed.codes, []);
  assertNear(cornerOf(placed.tile), [7, 50, 100.5]);
});

test('an IFC that does not say where it is asks for a placement', async () => {
  await assert.rejects(tests.run([await tests.put('house.ifc', ifcOfWall())]), { code: 'unknownPlace' });
});
