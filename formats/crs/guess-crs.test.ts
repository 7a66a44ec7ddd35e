import assert from 'node:assert/strict';
import { test } from 'node:test';
import { middleOf } from './area.ts';
import { findCrs } from './find-crs.ts';
import type { Area } from './crs.ts';
import { coordinateBoxes, guessCrs } from './guess-crs.ts';

const germany = [5.8, 47.2, 15.1, 55.1] as const;

test('longitudes and latitudes are plausible, also without a known area', () => {
  assert.equal(guessCrs(Float64Array.of(8, 48, 9, 49), 2).verdict, 'plausible');
  assert.equal(guessCrs(Float64Array.of(8, 48, 9, 49), 2, germany).verdict, 'plausible');
  assert.equal(guessCrs(Float64Array.of(48, 8), 1).verdict, 'plausible');
});

test('latitudes first are recognised by a longitude beyond 90, or by the expected area', () => {
  assert.equal(guessCrs(Float64Array.of(35.7, 139.7, 35.6, 139.6), 2).verdict, 'swapped');
  assert.equal(guessCrs(Float64Array.of(48, 8, 49, 9), 2, germany).verdict, 'swapped');
  assert.equal(guessCrs(Float64Array.of(-30, 20), 1, germany).verdict, 'plausible');
});

test('metres are projected, and the CRSs that have such coordinates are suggested', () => {
  const first = (x: number, y: number): string | undefined =>
    guessCrs(Float64Array.of(x, y), 1).suggestions[0]?.code;
  assert.equal(guessCrs(Float64Array.of(691_567, 5_334_734), 1).verdict, 'projected');
  assert.equal(first(691_567, 5_334_734), 'EPSG:25832');
  assert.equal(first(32_691_567, 5_334_734), 'EPSG:4647');
  assert.equal(first(4_468_476, 5_333_306), 'EPSG:31468');
  assert.equal(first(2_600_104, 1_199_879), 'EPSG:2056');
  assert.equal(first(1_491_681, 6_891_041), 'EPSG:3857');
  assert.match(
    guessCrs(Float64Array.of(5_333_306, 4_468_476), 1).suggestions[0]!.words,
    /zone 4, its northings first/,
  );
  assert.ok(guessCrs(Float64Array.of(300_000, 500_000), 1).suggestions.length <= 4);
});

test('an expected area says which zone of UTM is meant, and which systems are used there', () => {
  const codesAt = (x: number, y: number, area: Area): string[] =>
    guessCrs(Float64Array.of(x, y), 1, area).suggestions.map(({ code }) => code);
  const around = (lon: number, lat: number): Area => [lon - 0.5, lat - 0.5, lon + 0.5, lat + 0.5];
  assert.deepEqual(codesAt(391_000, 5_820_000, around(13.4, 52.5)), ['EPSG:25833', 'EPSG:3857']);
  assert.equal(codesAt(456_000, 6_098_000, around(14.5, 55))[0], 'EPSG:25833');
  assert.equal(codesAt(446_000, 4_427_000, around(-111.6, 40))[0], 'EPSG:26912');
  assert.equal(codesAt(334_000, 6_252_000, around(151.2, -33.9))[0], 'EPSG:32756');
  // there, UTM is used as well, but Lambert 93 is listed first
  assert.deepEqual(codesAt(652_000, 6_862_000, around(2.35, 48.85)).slice(0, 2), ['EPSG:2154', 'EPSG:25831']);
  const words = (area?: Area) => guessCrs(Float64Array.of(391_000, 5_820_000), 1, area).suggestions[0]!.words;
  assert.match(words(), /^UTM at about 52° N, whose zone/);
  assert.equal(words([-180, -90, 180, 90]), words());
  assert.equal(words(around(13.4, 52.5)), 'UTM zone 33');
  assert.equal(codesAt(400_000, 7_000_000, [179.5, -20, -178, -16])[0], 'EPSG:32701');
});

test('without a finite coordinate nothing is guessed', () => {
  assert.equal(guessCrs(new Float64Array(0), 0).verdict, 'empty');
  assert.equal(guessCrs(Float64Array.of(NaN, 1, 2, Infinity), 2).verdict, 'empty');
});

test('every box of coordinates holds the middle of its CRS', () => {
  assert.ok(coordinateBoxes.length > 10);
  for (const { code, box } of coordinateBoxes) {
    const crs = findCrs(code);
    const place = Float64Array.of(...middleOf(crs.area!));
    crs.fromLonLat(place, 1);
    const [x, y] = [place[0]!, place[1]!];
    assert.ok(x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3], `${code}: ${x},${y}`);
  }
});
