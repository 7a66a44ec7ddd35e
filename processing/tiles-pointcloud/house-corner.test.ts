import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLas } from '@platen/formats/las/testing';
import { geocentricOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { afterFile } from '../../checks/clean-up.ts';
import { boxFaces, cityGml, houseXml } from '../tiles-object/testing-models.ts';
import { openObjectTests } from '../tiles-object/testing.ts';
import { decodeGlb, eachTile } from '../tiles-object/testing-tileset.ts';
import { openPointTests, readTileset } from './testing.ts';

const [tests, objects] = [await openPointTests(), await openObjectTests()];
afterFile(() => tests.remove());
afterFile(() => objects.remove());

const at = [647_000, 5_431_000, 300] as const;
const corners = boxFaces(at, [10, 8, 6])
  .slice(0, 2)
  .flatMap(([, ring]) => ring);

const far = ([x, y, z]: Vector, [east, north, up]: Vector): number => Math.hypot(x - east, y - north, z - up);

for (const [vertical, crs] of [
  ['with a geoid', 'EPSG:25832+7837'],
  ['without one', 'EPSG:25832'],
] as const)
  test(`the corners of a house are where its model has them, ${vertical}`, async () => {
    const heights = crs === 'EPSG:25832' ? { vertical: 'ellipsoid' } : {};
    const urn = crs
      .split('+')
      .map((code) => `crs:EPSG::${code.replace('EPSG:', '')}`)
      .join(',');
    const house = cityGml(houseXml({ id: 'house', at }), `urn:ogc:def:crs,${urn}`);
    const points = corners.map(([x, y, z]) => ({ x, y, z }));
    const cloud = await tests.put('house.las', writeLas({ points }), crs);
    const { tiles, transform } = await readTileset(await tests.run([cloud], { heights }));
    const scanned = tiles.flatMap(({ places }) =>
      Array.from({ length: places.length / 3 }, (_, i) =>
        transformPosition(transform, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!]),
      ),
    );
    const { outputFolder } = await objects.run([await objects.put('house.gml', house)], {
      output: { format: 'folder' },
      heights,
    });
    const modelled: Vector[] = [];
    await eachTile(join(outputFolder, 'tileset'), async ({ content }) => {
      if (content === undefined) return;
      const { primitives } = await decodeGlb(await readFile(join(outputFolder, 'tileset', content.uri)));
      for (const { places } of primitives) for (const place of places) modelled.push(place);
    });
    assert.equal(scanned.length, 8);
    for (const point of scanned) {
      const nearest = Math.min(...modelled.map((place) => far(place, point)));
      assert.ok(nearest < 0.1, `${nearest} m`);
    }
    // 46.6 m lie between the two, so that a common mistake would show
    const low = Math.min(...scanned.map((point) => far(point, [0, 0, 0])));
    const ground = far(geocentricOf(11.01, 49.01, crs === 'EPSG:25832' ? 300 : 346.6), [0, 0, 0]);
    assert.ok(Math.abs(low - ground) < 15, `${low - ground} m`);
  });
