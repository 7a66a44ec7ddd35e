import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import proj4 from 'proj4';
import { findCrs } from './find-crs.ts';
import { openTransverseMercator } from './transverse-mercator.ts';

const radians = Math.PI / 180;
const utm32 = openTransverseMercator({
  semiMajorMetres: 6_378_137,
  eccentricitySquared: 0.006694380022903416,
  scale: 0.9996,
  centralMeridian: 9 * radians,
  originLatitude: 0,
  falseEastingMetres: 500_000,
  falseNorthingMetres: 0,
});

test('UTM agrees with proj4 within a tenth of a millimetre, 40° to both sides', () => {
  const theirs = proj4('+proj=utm +zone=32 +ellps=GRS80 +units=m');
  fc.assert(
    fc.property(
      fc.double({ min: -31, max: 49, noNaN: true }),
      fc.double({ min: -89.9, max: 89.9, noNaN: true }),
      (lon, lat) => {
        const point = { x: lon * radians, y: lat * radians };
        utm32.forward(point);
        const [x, y] = theirs.forward([lon, lat]) as [number, number];
        assert.ok(
          Math.hypot(point.x - x, point.y - y) < 1e-4,
          `${lon},${lat}: ${point.x},${point.y} and ${x},${y}`,
        );
        utm32.inverse(point);
        const east = (point.x / radians - lon) * Math.cos(lat * radians);
        assert.ok(
          Math.hypot(east, point.y / radians - lat) < 1e-9,
          `${lon},${lat} came back as ${point.x / radians},${point.y / radians}`,
        );
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});

test('with its datum shift a Gauss-Krüger zone agrees with proj4 within a millimetre, and so does web Mercator', () => {
  const definitions = {
    'EPSG:31468': '+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 +datum=potsdam +units=m',
    'EPSG:3857':
      '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null',
    'EPSG:27700':
      '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +datum=OSGB36 +units=m',
  };
  for (const [code, definition] of Object.entries(definitions)) {
    const crs = findCrs(code);
    const theirs = proj4(definition);
    for (let lon = -6; lon < 15; lon += 0.7) {
      for (let lat = 47; lat < 60; lat += 0.7) {
        const [x, y] = theirs.forward([lon, lat]) as [number, number];
        const place = Float64Array.of(x, y);
        crs.toLonLat(place, 1);
        const [theirLon, theirLat] = theirs.inverse([x, y]) as [number, number];
        const east = (place[0]! - theirLon) * Math.cos(lat * radians);
        assert.ok(Math.hypot(east, place[1]! - theirLat) * 111_195 < 1e-3, `${code} at ${lon},${lat}`);
      }
    }
  }
});

test('positions beyond the series are NaN', () => {
  for (const [x, y] of [
    [3e7, 0],
    [0, 3e7],
    [NaN, 0],
    [0, Infinity],
  ] as const) {
    const point = { x, y };
    utm32.inverse(point);
    assert.ok(Number.isNaN(point.x) && Number.isNaN(point.y), `${x},${y}`);
  }
  const antipode = { x: (9 + 90) * radians, y: 0 };
  utm32.forward(antipode);
  assert.ok(Number.isNaN(antipode.x));
});
