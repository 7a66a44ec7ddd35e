import { brokenBinaries } from './testing-broken-binaries.ts';
import type { BrokenFeature, BrokenFile } from './testing-broken-file.ts';

const point = (coordinates: unknown, name: string) => feature({ type: 'Point', coordinates }, name);
const feature = (geometry: unknown, name: string) => ({ type: 'Feature', properties: { name }, geometry });

const objects = [
  point([8, 47], 'good'),
  point(['a', 'b'], 'texts'),
  point([8, 95], 'beyond'),
  feature(null, 'nothing'),
  feature({ type: 'LineString', coordinates: [[9, 48]] }, 'one position'),
  feature(
    {
      type: 'LineString',
      coordinates: [
        [9, 48],
        [10, 49],
        [1e300, 0],
      ],
    },
    'far away',
  ),
  feature({ type: 'Polygon', coordinates: [] }, 'empty'),
  feature({ type: 'Banana', coordinates: [9, 48] }, 'banana'),
  point([9, 48], 'good, too'),
];

const badObjects: readonly BrokenFeature[] = [
  { code: 'invalidGeometry', reason: /not a number/, name: 'texts', feature: 2 },
  { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', feature: 3 },
  { code: 'withoutGeometry', reason: /no geometry/, name: 'nothing', feature: 4 },
  { code: 'invalidGeometry', reason: /2 positions/, name: 'one position', feature: 5, shows: 'Point' },
  { code: 'invalidCoordinates', reason: /outside/, name: 'far away', feature: 6, shows: 'LineString' },
  { code: 'withoutGeometry', reason: /no geometry/, name: 'empty', feature: 7 },
  { code: 'invalidGeometry', reason: /"Banana" is unknown/, name: 'banana', feature: 8, shows: 'Point' },
];

export async function everyBrokenFormat(): Promise<BrokenFile[]> {
  return [
    geoJson(),
    geoJsonLines(),
    csv(),
    csvOfWkt(),
    kml(),
    gml(),
    gpx(),
    topoJson(),
    ...(await brokenBinaries()),
  ];
}

function geoJson(): BrokenFile {
  const content = JSON.stringify({ type: 'FeatureCollection', features: objects });
  return { name: 'a.geojson', content, good: 2, bad: badObjects.map((bad) => ({ ...bad, line: 1 })) };
}

function geoJsonLines(): BrokenFile {
  const lines = [...objects.map((one) => JSON.stringify(one)), '{"type":"Feature","properties":{"name":', ''];
  const bad = badObjects.map((one): BrokenFeature => Object.assign({}, one, { line: one.feature }));
  return {
    name: 'a.geojsonl',
    content: lines.join('\n'),
    good: 2,
    bad: [...bad, { code: 'brokenRecord', reason: /not valid JSON/, line: 10, feature: 10 }],
  };
}

function csv(): BrokenFile {
  const rows = [
    '8,47,good',
    'east,48,no number',
    ',,no place',
    '8,95,beyond',
    '8,47,many,cells',
    '9,48,"open',
    '9,48,good',
  ];
  return {
    name: 'a.csv',
    content: `lon,lat,name\n${rows.join('\n')}\n`,
    good: 2,
    bad: [
      { code: 'invalidGeometry', reason: /"east" in the column "lon"/, name: 'no number', row: 2, line: 3 },
      { code: 'withoutGeometry', reason: /no geometry/, name: 'no place', row: 3, line: 4 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', row: 4, line: 5 },
      { code: 'brokenRecord', reason: /4 cells/, name: 'many', row: 5, line: 6 },
      { code: 'brokenRecord', reason: /quot/, row: 6, line: 7 },
    ],
  };
}

function csvOfWkt(): BrokenFile {
  const rows = [
    '"POINT(8 47)",good',
    '"POINT(8 )",half',
    '"POINT EMPTY",empty',
    '"LINESTRING(8 47, 9 48, x 1)",torn',
  ];
  return {
    name: 'wkt.csv',
    content: `geometry,name\n${rows.join('\n')}\n`,
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /./, name: 'half', row: 2 },
      { code: 'withoutGeometry', reason: /no geometry/, name: 'empty', row: 3 },
      { code: 'invalidGeometry', reason: /./, name: 'torn', row: 4 },
    ],
  };
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';

function kml(): BrokenFile {
  const mark = (name: string, geometry: string) => `<Placemark><name>${name}</name>${geometry}</Placemark>`;
  const at = (coordinates: string) => `<Point><coordinates>${coordinates}</coordinates></Point>`;
  const marks = [
    mark('good', at('8,47')),
    mark('words', at('here,there')),
    mark('nothing', ''),
    mark('beyond', at('8,95')),
    mark('model', '<Model><Location/></Model>'),
    mark('line', '<LineString><coordinates>8,47</coordinates></LineString>'),
  ];
  return {
    name: 'a.kml',
    content: `${xml}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n${marks.join('\n')}\n</Document></kml>`,
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /./, name: 'words', line: 4 },
      { code: 'withoutGeometry', reason: /no geometry/, name: 'nothing', line: 5 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', line: 6 },
      { code: 'invalidGeometry', reason: /Model/, name: 'model', line: 7 },
      { code: 'invalidGeometry', reason: /2 positions/, name: 'line', line: 8, shows: 'Point' },
    ],
  };
}

function gml(): BrokenFile {
  const member = (name: string, geometry: string) =>
    `<gml:featureMember><a:town gml:id="${name}"><a:name>${name}</a:name><a:at>${geometry}</a:at></a:town></gml:featureMember>`;
  const crs = 'srsName="urn:ogc:def:crs:OGC:1.3:CRS84"';
  const at = (position: string) => `<gml:Point ${crs}><gml:pos>${position}</gml:pos></gml:Point>`;
  const members = [
    member('good', at('8 47')),
    member('words', at('here there')),
    member('beyond', at('8 95')),
    member('solid', `<gml:Solid ${crs}/>`),
    member(
      'other',
      '<gml:Point srsName="http://www.opengis.net/def/crs/EPSG/0/25832"><gml:pos>500000 5300000</gml:pos></gml:Point>',
    ),
  ];
  const names = 'xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://example.org/a"';
  return {
    name: 'a.gml',
    content: `${xml}<gml:FeatureCollection ${names}>\n${members.join('\n')}\n</gml:FeatureCollection>`,
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /./, name: 'words', line: 4 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', line: 5 },
      { code: 'invalidGeometry', reason: /Solid/, name: 'solid', line: 6 },
      { code: 'invalidGeometry', reason: /but others of its type/, name: 'other', line: 7 },
    ],
  };
}

function gpx(): BrokenFile {
  const points = [
    '<wpt lat="47" lon="8"><name>good</name></wpt>',
    '<wpt lat="47"><name>half</name></wpt>',
    '<wpt lat="95" lon="8"><name>beyond</name></wpt>',
    '<wpt lat="north" lon="8"><name>words</name></wpt>',
  ];
  return {
    name: 'a.gpx',
    content: `${xml}<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">\n${points.join('\n')}\n</gpx>`,
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /no numeric lat and lon/, name: 'half', line: 4 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', line: 5 },
      { code: 'invalidGeometry', reason: /no numeric lat and lon/, name: 'words', line: 6 },
    ],
  };
}

function topoJson(): BrokenFile {
  const geometries = [
    { type: 'Point', properties: { name: 'good' }, coordinates: [8, 47] },
    { type: 'LineString', properties: { name: 'no arc' }, arcs: [7] },
    { type: null, properties: { name: 'nothing' } },
    { type: 'Point', properties: { name: 'beyond' }, coordinates: [8, 95] },
    { type: 'LineString', properties: { name: 'short' }, arcs: [0] },
  ];
  return {
    name: 'a.topojson',
    content: JSON.stringify({
      type: 'Topology',
      arcs: [[[8, 47]]],
      objects: { towns: { type: 'GeometryCollection', geometries } },
    }),
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /arc 7 does not exist/, name: 'no arc', feature: 2 },
      { code: 'withoutGeometry', reason: /no geometry/, name: 'nothing', feature: 3 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', feature: 4 },
      { code: 'invalidGeometry', reason: /2 positions/, name: 'short', feature: 5, shows: 'Point' },
    ],
  };
}
