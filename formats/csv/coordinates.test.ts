import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeWkb } from '../wkb/testing.ts';
import { parseAngle, parsePair } from './parse-angle.ts';
import { read, point } from './testing.ts';

test('coordinate columns are found by their names in several languages', async () => {
  for (const [header, x, y] of [
    ['lat,lng', 1, 0],
    ['stop_id,stop_lat,stop_lon', 2, 1],
    ['Latitude (WGS84),Longitude (WGS84)', 1, 0],
    ['geoLon,geoLat', 0, 1],
    ['Rechtswert,Hochwert', 0, 1],
    ['OSTWERT,NORDWERT', 0, 1],
    ['X-Koordinate,Y-Koordinate', 0, 1],
    ['coord_y,coord_x', 1, 0],
    ['longitud,latitud', 0, 1],
    ['Länge,Breite', 0, 1],
    ['x,y,lon,lat', 2, 3],
    ['2020,2021,lon,lat', 2, 3],
    ['E,N', 0, 1],
    ['utm_easting,utm_northing', 0, 1],
  ] as const) {
    const width = header.split(',').length;
    const row = Array.from({ length: width }, (_, i) => i + 1).join(',');
    const { seen } = await read(`${header}\n${row}\n`);
    assert.deepEqual(seen[0]!.parts, point(x + 1, y + 1), header);
  }
});

test('coordinates in one column, in degrees and minutes, and in a plane are read', async () => {
  const together = await read('name;Koordinaten\na;48.1, 11.5\nb;(48.2 11.6)\nc;here\n');
  assert.deepEqual(
    together.seen.map(({ parts }) => parts),
    [point(11.5, 48.1), point(11.6, 48.2), []],
  );
  assert.match(together.seen[2]!.problem!, /"here" in the column "Koordinaten" is not a coordinate/);
  const angles = await read(`lat;lon\n"48°30'00""N";11 15 0 W\n`);
  assert.deepEqual(angles.seen[0]!.parts, point(-11.25, 48.5));
  const plane = await read('x,y\n4468000.5,5333000\n');
  assert.deepEqual([plane.layers[0]!.crs, plane.warnings[0]!.code], [undefined, 'missingCrs']);
  assert.match(plane.warnings[0]!.message, /columns "x" and "y".*4468000.5 to 4468000.5/);
});

test('angles are read in many notations, and other text is not', () => {
  for (const [text, value] of [
    [`48°08'14"N`, 48 + 8 / 60 + 14 / 3600],
    ['S 48° 30.5′', -48 - 30.5 / 60],
    ['11,5° W', -11.5],
    ['-0 30 0', -0.5],
    ['12d30m', 12.5],
  ] as const)
    assert.ok(Math.abs(parseAngle(text)! - value) < 1e-12, text);
  for (const text of ['', 'N', "48°70'", '400', 'N48S', '11° O', 'street 5', '1'.repeat(1000)])
    assert.equal(parseAngle(text), undefined, text);
  assert.deepEqual(parsePair(`48°30'N, 11°15'E`), [48.5, 11.25]);
  assert.deepEqual(parsePair('48,5 11,25'), [48.5, 11.25]);
  assert.deepEqual(parsePair('48,5, 11,25'), [48.5, 11.25]);
  assert.equal(parsePair('48.5'), undefined);
});

test('WKT, EWKT and hexadecimal WKB are detected by their content, with their SRID', async () => {
  const wkt = await read('id;shape\n1;"SRID=31468;POLYGON((0 0, 1 0, 1 1, 0 0))"\n2;POINT(1 2\n3;\n');
  assert.equal(wkt.layers[0]!.crs, 'EPSG:31468');
  assert.equal(wkt.seen[0]!.parts[0]![0], 'Polygon');
  assert.match(wkt.seen[1]!.problem!, /the WKT is not valid/);
  assert.equal(wkt.seen[1]!.place.line, 3);
  assert.deepEqual([wkt.seen[2]!.parts, wkt.seen[2]!.problem], [[], undefined]);
  const bytes = encodeWkb(
    { type: 'Point', coordinates: [1, 2] },
    { extended: true, z: false, m: false, srid: true, orders: [true] },
  );
  const hex = await read(`id,the_geom\n1,${Buffer.from(bytes).toString('hex').toUpperCase()}\n`);
  assert.deepEqual([hex.layers[0]!.crs, hex.seen[0]!.parts], ['EPSG:4326', point(1, 2)]);
  const bare = await read('wkt\nPOINT(1 2)\nPOINT(3 4)');
  assert.deepEqual(
    bare.seen.map(({ parts }) => parts),
    [point(1, 2), point(3, 4)],
  );
  const noHeader = await read('a;POINT(1 2)\nb;POINT(3 4)');
  assert.deepEqual(
    noHeader.seen.map(({ properties }) => properties),
    [{ column_1: 'a' }, { column_1: 'b' }],
  );
});
