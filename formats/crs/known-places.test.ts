import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from './find-crs.ts';
import { openTransform } from './open-transform.ts';

type Pair = readonly [crs: string, lon: number, lat: number, x: number, y: number, metres: number];

const degrees = (d: number, m: number, s: number): number => d + m / 60 + s / 3600;

/** Metres on the ground, both ways. */
function assertPair(
  transform: Pick<ReturnType<typeof findCrs>, 'toLonLat' | 'fromLonLat'>,
  [name, lon, lat, x, y, metres]: Pair,
): void {
  const place = Float64Array.of(x, y);
  transform.toLonLat(place, 1);
  const east = (place[0]! - lon) * Math.cos((lat * Math.PI) / 180) * 111_195;
  const distance = Math.hypot(east, (place[1]! - lat) * 111_195);
  assert.ok(distance < metres, `${name}: ${distance} m from where it should be`);
  transform.fromLonLat(place, 1);
  assert.ok(Math.hypot(place[0]! - x, place[1]! - y) < 0.02, `${name}: ${place.join()} instead of ${x},${y}`);
}

// IOGP 373-7-2 (EPSG guidance note 7-2), the example of each method: on its own datum, so without any shift. The
// parameters are those of the note; k of feet: US survey feet.
const examples: readonly Pair[] = [
  [
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy',
    0.5,
    50.5,
    577274.99,
    69740.5,
    0.02,
  ],
  [
    '+proj=lcc +lat_0=27.8333333333333333 +lon_0=-99 +lat_1=28.3833333333333333 +lat_2=30.2833333333333333 +x_0=609601.2192024384 +y_0=0 +ellps=clrk66 +units=us-ft',
    -96,
    28.5,
    2963503.91,
    254759.8,
    0.02,
  ],
  [
    '+proj=lcc +lat_1=18 +lat_0=18 +lon_0=-77 +k_0=1 +x_0=250000 +y_0=150000 +ellps=clrk66',
    -degrees(76, 56, 37.26),
    degrees(17, 55, 55.8),
    255966.58,
    142493.51,
    0.02,
  ],
  [
    '+proj=krovak +lat_0=49.5 +lon_0=24.8333333333333 +alpha=30.2881397527778 +k=0.9999 +x_0=0 +y_0=0 +ellps=bessel',
    degrees(16, 50, 59.179),
    degrees(50, 12, 32.4416),
    -568990.997,
    -1050538.643,
    0.05,
  ],
  [
    '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel',
    6,
    53,
    196105.283,
    557057.739,
    0.02,
  ],
  [
    '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80',
    5,
    50,
    3962799.45,
    2999718.85,
    0.02,
  ],
  [
    '+proj=merc +lon_0=110 +k=0.997 +x_0=3900000 +y_0=900000 +ellps=bessel',
    120,
    -3,
    5009726.58,
    569150.82,
    0.02,
  ],
  ['EPSG:3857', -degrees(100, 20, 0), degrees(24, 22, 54.433), -11169055.58, 2800000, 0.02],
  ['EPSG:5041', 44, 73, 3320416.75, 632668.43, 0.02],
  ['EPSG:3032', 120, -75, 7255380.79, 7053389.56, 0.02],
  [
    '+proj=omerc +lat_0=4 +lonc=115 +alpha=53.3158204722222 +gamma=53.1301023611111 +k=0.99984 +x_0=590476.87 +y_0=442857.65 +a=6377298.556 +rf=300.8017',
    degrees(115, 48, 19.8196),
    degrees(5, 23, 14.1129),
    679245.73,
    596562.78,
    1,
  ],
];

test('the examples of EPSG guidance note 7-2 agree to the centimetre', () => {
  for (const pair of examples) {
    const [definition] = pair;
    assertPair(
      definition.startsWith('EPSG') ? findCrs(definition) : openTransform({ text: definition }),
      pair,
    );
  }
});

// From publications of the surveys. How exact they are without a grid is the last number.
const landmarks: readonly Pair[] = [
  // swisstopo, Formulas and constants (2016), section 3: the example of the approximate solution.
  ['EPSG:2056', degrees(8, 43, 49.79), degrees(46, 2, 38.87), 2_700_000, 1_100_000, 1],
  ['EPSG:21781', degrees(8, 43, 49.79), degrees(46, 2, 38.87), 700_000, 100_000, 1],
  // The origin of RD at Amersfoort in ETRS89, as the approximations of Schreutelkamp and Strang van Hees (2001) have it.
  ['EPSG:28992', 5.38720621, 52.1551744, 155_000, 463_000, 0.5],
  // Ordnance Survey, A guide to coordinate systems in Great Britain, annex C: the water tower at Caister, whose OSGB36
  // latitude and longitude are given there; in WGS 84 it is at 52.65798, 1.71605.
  ['EPSG:27700', 1.71605, 52.65798, 651_409.903, 313_177.27, 5],
  // The definition of Lambert-93 (decree 2006-272): the origin of its coordinates, on RGF93.
  ['EPSG:2154', 3, 46.5, 700_000, 6_600_000, 0.001],
];

test('landmarks are where the surveys say', () => {
  for (const pair of landmarks) assertPair(findCrs(pair[0]), pair);
});

// PROJ 9.5.1, cs2cs without grids, by the EPSG transformation that is named.
const byProj: readonly Pair[] = [
  ['EPSG:25832', 11.575, 48.137, 691567.3264, 5334734.3304, 0.01],
  ['EPSG:31468', 11.575, 48.137, 4468476.0269, 5333305.9964, 0.01], // DHDN to WGS 84 (2)
  ['EPSG:27700', -0.1276, 51.5072, 530043.195, 180358.2086, 3], // OSGB36 to WGS 84 (6)
  ['EPSG:2154', 2.2945, 48.8582, 648237.1029, 6862249.4434, 0.01],
  ['EPSG:3035', 13.4, 52.5, 4551801.9733, 3271028.9832, 0.01],
  ['EPSG:6697', 139.7, 35.7, 139.7, 35.7, 0.01],
  ['EPSG:7415', 4.9, 52.37, 121819.3652, 487013.7615, 0.5], // Amersfoort to WGS 84 (4)
  ['EPSG:28992', 4.9, 52.37, 121819.3652, 487013.7615, 0.5],
  ['EPSG:2263', -73.9857, 40.7484, 988212.2372, 211939.2786, 0.01],
  ['EPSG:3395', 13.4, 52.5, 1491681.1766, 6857119.6854, 0.01],
  ['EPSG:5514', 14.42, 50.09, -742860.0835, -1042721.3635, 1], // S-JTSK to WGS 84 (5); ours is (1)
  ['EPSG:21781', 7.44, 46.95, 600104.1095, 199879.6282, 0.5], // CH1903 to WGS 84 (2)
  ['EPSG:2056', 7.44, 46.95, 2600104.1095, 1199879.6282, 0.01],
  ['EPSG:3413', -40, 75, 142401.9812, -1627662.0927, 0.01],
  ['EPSG:3031', 100, -75, 1613886.4387, -284571.7229, 0.01],
  ['EPSG:2193', 174.76, -41.29, 1747371.0616, 5427555.5338, 0.01],
  ['EPSG:2180', 21.01, 52.23, 637231.0903, 486786.3937, 0.01],
];

test('well-known CRSs agree with PROJ', () => {
  for (const pair of byProj) assertPair(findCrs(pair[0]), pair);
});

test('grads from Paris become degrees from Greenwich', () => {
  const place = Float64Array.of(0, 50);
  findCrs('EPSG:4807').toLonLat(place, 1);
  // NTF's shift is some 40 m to the east and 70 m to the south.
  assert.ok(Math.abs(place[0]! - 2.33722917) < 0.002 && Math.abs(place[1]! - 45) < 0.002, String(place));
});

test('southings and westings count as South Africa and the Ferro grids have them', () => {
  const place = Float64Array.of(27.9, -26.2);
  findCrs('EPSG:2053').fromLonLat(place, 1); // Lo29
  assert.ok(place[0]! > 100_000 && place[1]! > 2_800_000, String(place));
  const vienna = Float64Array.of(16.37, 48.21);
  findCrs('EPSG:8045').fromLonLat(vienna, 1); // St. Stephen: the cathedral itself, southing before westing
  assert.ok(Math.hypot(vienna[0]!, vienna[1]!) < 1000, String(vienna));
});
