import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDbf, encodeShp } from '../shapefile/testing.ts';
import { mutate } from '../wkb/testing.ts';
import { recognise } from './recognise.ts';

const bytes = (content: string | Buffer): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : content;
const latin = (content: string): Buffer => Buffer.from(content, 'latin1');
const padded = (...texts: readonly (readonly [at: number, text: string])[]): Buffer => {
  const buffer = Buffer.alloc(600);
  for (const [at, text] of texts) buffer.write(text, at, 'latin1');
  return buffer;
};
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const bigEndian = (text: string): Buffer => utf16(text).swap16();

const { shp, shx } = encodeShp([{ type: 1, points: [[1, 2]] }]);
const dbf = encodeDbf({ fields: [{ name: 'n', type: 'N', length: 4 }], rows: [['1']] });

test('data is recognised by its content, whatever it is called', () => {
  const point = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}';
  for (const [format, content] of [
    ['geojson', point],
    ['geojson', `\ufeff \n${point}`],
    ['geojson', `\x1e${point}\n\x1e${point}`],
    ['geojson', `${point}\n${point}`],
    ['geojson', '{"features":[{"properties":{"type":"CityJSON"}}], "type":"FeatureCollection"}'],
    ['geojson', `{"name":"x","crs":{"type":"name"},"features":[${'{"type":"Topology"},'.repeat(4000)}`],
    ['geojson', '{"type":"GeometryCollection","geometries":[]}'],
    ['geojson', `{"${'x'.repeat(70_000)}`],
    ['topojson', '{"type":"Topology","arcs":[],"objects":{}}'],
    ['topojson', '{"arcs":[[[1,2]]],"objects":{"a":{"type":"GeometryCollection"}}, "bbox":[]}'],
    ['kml', '<?xml version="1.0"?><!-- a --><kml xmlns="http://www.opengis.net/kml/2.2">'],
    ['kml', utf16('<?xml version="1.0" encoding="UTF-16"?><kml/>')],
    ['gpx', '\ufeff<gpx version="1.1">'],
    [
      'gml',
      '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2">',
    ],
    [
      'gml',
      '<adv:AX_Bestandsdatenauszug xmlns:adv="http://www.adv-online.de/namespaces/adv/gid/6.0" xmlns:gml="http://www.opengis.net/gml/3.2">',
    ],
    ['gml', bigEndian('<a xmlns:gml="http://www.opengis.net/gml"/>')],
    ['flatgeobuf', latin('fgb\x03fgb\x00\0\0\0\0')],
    ['geopackage', padded([0, 'SQLite format 3\0'], [68, 'GPKG'])],
    ['geopackage', padded([0, 'SQLite format 3\0'], [200, 'CREATE TABLE gpkg_contents'])],
    ['shapefile', shp],
    ['csv', 'lon,lat\n1,2\n'],
    ['csv', '\ufeffname;x;y\na;1;2\nb;3;4'],
    ['csv', `lon,lat\n${'1,2\n'.repeat(50)}\x1a`],
    ['csv', utf16('a\tb\n1\t2\n')],
    ['csv', 'wkt\nPOINT(1 2)\n'],
  ] as const)
    assert.deepEqual(
      recognise(bytes(content), 'upload'),
      { is: 'data', format },
      String(content).slice(0, 60),
    );
  assert.deepEqual(recognise(bytes('name\na\n'), 'table.csv'), { is: 'data', format: 'csv' });
});

test('archives are recognised by kind', () => {
  assert.deepEqual(recognise(latin('\x1f\x8b\x08\0'), 'a'), { is: 'archive', packing: 'gzip' });
  assert.deepEqual(recognise(latin('PK\x03\x04xx'), 'a.kmz'), { is: 'archive', packing: 'zip' });
});

test('unsupported uploads are named, with advice', () => {
  for (const [message, code, content] of [
    [/empty file: upload it again/, 'notRecognised', ''],
    [/only white space/, 'notRecognised', ' \n\n'],
    [/a PDF document: /, 'unsupported', '%PDF-1.7'],
    [/a PNG image: .*imagery/, 'unsupported', latin('\x89PNG\r\n\x1a\n')],
    [/a JPEG image/, 'unsupported', latin('\xff\xd8\xff\xe0')],
    [/a TIFF image/, 'unsupported', latin('II*\0\x08\0\0\0')],
    [/LAS or LAZ file: .*point cloud/, 'unsupported', 'LASF\0\0'],
    [
      /CityGML city model: .*3D buildings/,
      'unsupported',
      '<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:gml="http://www.opengis.net/gml">',
    ],
    [/CityJSON city model: .*3D buildings/, 'unsupported', '{"type":"CityJSON","version":"2.0"}'],
    [/osm\.pbf/, 'unsupported', latin('\0\0\0\x0d\x0a\x09OSMHeader\x18')],
    [/OSM XML/, 'unsupported', '<?xml version="1.0"?><osm version="0.6">'],
    [/a Parquet file/, 'unsupported', 'PAR1\x15\x04'],
    [/an SQLite database other than GeoPackage/, 'unsupported', padded([0, 'SQLite format 3\0'])],
    [/contains tiles/, 'unsupported', padded([0, 'SQLite format 3\0'], [68, 'MPBX'])],
    [/MapInfo table/, 'unsupported', '!table\n!version 300\n'],
    [/MapInfo exchange/, 'unsupported', 'Version   450\nCharset "WindowsLatin1"\n'],
    [/a DXF drawing/, 'unsupported', '  0\r\nSECTION\r\n  2\r\nHEADER\r\n'],
    [/a DWG drawing/, 'unsupported', 'AC1027\0\0'],
    [/a web page: it may be the error message/, 'notRecognised', '\n<!DOCTYPE html>\n<html lang=en><p>404'],
    [
      /web service: open it/,
      'notRecognised',
      '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1">',
    ],
    [/not GeoJSON: it has no "type"/, 'notRecognised', '{"a":{"type":"Feature"},"b":1}'],
    [/not GeoJSON: its "type" is "x"/, 'notRecognised', '{"type":"x"}'],
    [/a JSON array/, 'notRecognised', '[{"type":"Feature"}]'],
    [
      /ArcGIS service: request it again with f=geojson/,
      'unsupported',
      '{"geometryType":"esriGeometryPoint","features":[]}',
    ],
    [/JSON in UTF-16: save it in UTF-8/, 'unsupported', utf16('{"type":"Feature"}')],
    [/definition of a coordinate system/, 'notRecognised', 'PROJCS["DHDN"]'],
    [/root element "foo"/, 'unsupported', '<foo/>'],
    [/a tar archive: unpack it/, 'unsupported', padded([0, 'a.txt'], [257, 'ustar'])],
    [
      /a text that is not a table/,
      'notRecognised',
      'Dear reader,\nthis is a text.\nIt says nothing, or little,\n',
    ],
    [/unknown type/, 'notRecognised', latin('\x01\x02\x00\xff\x07')],
  ] as const) {
    const found = recognise(bytes(content), 'upload');
    assert.ok(found.is === 'other', `${message}: ${JSON.stringify(found)}`);
    assert.match(found.message, message);
    assert.equal(found.code, code, String(message));
  }
});

test('parts of a shapefile without the .shp are named', () => {
  for (const [content, title] of [
    [shx, /index of a shapefile \(\.shx\)/],
    [dbf, /table of a shapefile \(\.dbf\)/],
    [Buffer.concat([Buffer.of(0, 0, 0x27, 0x0a, 0xff, 0xff, 0xfe, 0x70), Buffer.alloc(92)]), /spatial index/],
  ] as const) {
    const found = recognise(content, 'roads');
    assert.ok(found.is === 'companion');
    assert.match(found.message, title);
    assert.match(found.message, /upload the \.shp with/);
  }
});

test('recognition of any bytes is fast', () => {
  const started = process.cpuUsage();
  for (const text of [
    '{"a":'.repeat(13_000),
    '"'.repeat(65_536),
    '{"'.repeat(32_000),
    `{"${'\\"'.repeat(32_000)}`,
    ',;\t|"'.repeat(13_000),
    '<a '.repeat(21_000),
    ' '.repeat(65_536),
  ])
    recognise(Buffer.from(text), 'a');
  for (let seed = 0; seed < 500; seed++)
    for (const whole of [
      shp,
      dbf,
      Buffer.from('{"type":"FeatureCollection","features":[]}'),
      Buffer.from('a,b\n1,2\n"c",d'),
    ])
      recognise(Buffer.from(mutate(new Uint8Array(whole), seed)), 'a');
  const { user } = process.cpuUsage(started);
  assert.ok(user < 3e6, `${user} µs`);
});
