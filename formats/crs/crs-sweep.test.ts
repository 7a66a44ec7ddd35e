import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { isWithin, middleOf } from './area.ts';
import { readAllEpsgEntries } from './epsg-entry.ts';
import { findCrs, UnknownCrs, type Crs } from './find-crs.ts';

/** Degrees: a decimetre; what a datum shift loses with the heights is a hundredth of it. */
const tolerance = 1e-6;

/** Known to the register and horizontal, but refused, by reason; all others of the kind can be used. */
const refusedReasons: readonly (readonly [RegExp, number])[] = [
  [/has a projection that is not supported/, 63], // nobody gives a definition of them, or a gnomonic one on an ellipsoid
  [/projection of .* is not supported/, 88], // proj4 has no col_urban, labrd, eck1 to eck5, wintri, …
  [/cannot be computed accurately/, 2], // proj4's van der Grinten loses its own centre
];

function allCodes(): string[] {
  const list = createRequire(import.meta.url)('proj4-list') as Record<string, unknown>;
  const listed = Object.keys(list).map((key) => key.replace('EPSG:', ''));
  return [...new Set([...readAllEpsgEntries().map(({ code }) => code), ...listed])];
}

test('every code is usable, with the centre of its area there and back, or refused with a reason', () => {
  const codes = allCodes();
  const refusals: string[] = [];
  let usable = 0;
  for (const code of codes) {
    try {
      const crs = findCrs(code);
      usable++;
      if (crs.area !== undefined) assertRoundTrip(crs, crs.area);
    } catch (error) {
      if (!(error instanceof UnknownCrs)) throw error;
      refusals.push(error.message);
    }
  }
  assert.equal(codes.length, 8596);
  assert.equal(usable, 7926);
  for (const [reason, count] of refusedReasons) {
    assert.equal(refusals.filter((message) => reason.test(message)).length, count, String(reason));
  }
  const explained =
    /vertical|geocentric|local|derived|not a geographic or projected|cannot be computed|not supported/;
  assert.deepEqual(
    refusals.filter((message) => !explained.test(message)),
    [],
  );
});

function assertRoundTrip(crs: Crs, area: NonNullable<Crs['area']>): void {
  const name = crs.code ?? crs.name;
  const middle = middleOf(area);
  const there = Float64Array.of(...middle);
  crs.fromLonLat(there, 1);
  assert.ok(there.every(Number.isFinite), name);
  crs.toLonLat(there, 1);
  const back = [there[0]!, there[1]!] as const;
  const east = Math.abs(((back[0] - middle[0] + 540) % 360) - 180) * Math.cos((middle[1] * Math.PI) / 180);
  assert.ok(
    east < tolerance && Math.abs(back[1] - middle[1]) < tolerance,
    `${name}: ${middle.join()} came back as ${back.join()}`,
  );
  assert.ok(isWithin(area, back, tolerance), name);
}

/** WKT of ESRI's for data that it has another shift for, or a method that the WKT names in its own way. */
const strangeWkt = new Set([
  '54025',
  '53026',
  '8045',
  '102192',
  '102238',
  '104139',
  '102421',
  '102424',
  '102427',
]);

test('without its codes the WKT of the register leads to the same place', () => {
  let compared = 0;
  const strange: string[] = [];
  for (const { code, kind, wkt } of readAllEpsgEntries().filter((_, i) => i % 3 === 0)) {
    if (!wkt || !/^CRS-(?:PROJ|GEOG)CRS$/.test(kind)) continue;
    const crs = tryFind(code);
    if (crs?.area === undefined) continue;
    const anonymous = tryFind(wkt.replaceAll(/,AUTHORITY\["[^"]*","[^"]*"\]/g, ''));
    const place = Float64Array.of(...middleOf(crs.area));
    crs.fromLonLat(place, 1);
    anonymous?.toLonLat(place, 1);
    compared++;
    if (
      anonymous === undefined ||
      !isWithin([...middleOf(crs.area), ...middleOf(crs.area)], [place[0]!, place[1]!], 5e-5)
    ) {
      strange.push(code);
    }
  }
  assert.ok(compared > 2000, `${compared} compared`);
  assert.deepEqual(
    strange.filter((code) => !strangeWkt.has(code)),
    [],
  );
});

function tryFind(text: string): Crs | undefined {
  try {
    return findCrs(text);
  } catch (error) {
    if (error instanceof UnknownCrs) return undefined;
    throw error;
  }
}

test('an invalid position is NaN in both numbers, in every CRS', () => {
  const strange = [NaN, Infinity, -Infinity, 1e308, -1e308, 1e18, 5e-324];
  for (const code of allCodes().filter((_, i) => i % 7 === 0)) {
    const crs = tryFind(code);
    if (crs === undefined) continue;
    for (const transform of [crs.toLonLat, crs.fromLonLat]) {
      const places = Float64Array.from(strange.flatMap((x) => strange.flatMap((y) => [x, y])));
      const given = places.slice();
      transform(places, places.length / 2);
      for (let i = 0; i < places.length; i += 2) {
        const [x, y] = [places[i]!, places[i + 1]!];
        const isNothing = Number.isNaN(x) && Number.isNaN(y);
        assert.ok(
          isNothing || (Number.isFinite(x) && Number.isFinite(y)),
          `${code}: ${given[i]},${given[i + 1]} → ${x},${y}`,
        );
        if (!Number.isFinite(given[i]!) || !Number.isFinite(given[i + 1]!)) assert.ok(isNothing, code);
        if (transform === crs.toLonLat)
          assert.ok(isNothing || (Math.abs(x) <= 180 && Math.abs(y) <= 90), `${code}: ${x},${y}`);
      }
    }
  }
});
