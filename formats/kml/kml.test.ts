import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { expectedParts, type Geometry } from '../wkb/testing.ts';
import { readFileOf, survivesMutations } from '../xml/testing.ts';
import { kmlFormat } from './format.ts';

const kml = (content: string, attributes = 'xmlns="http://www.opengis.net/kml/2.2"') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml ${attributes}>${content}</kml>`;
const read = async (content: string | Uint8Array, encoding?: string) => {
  const { layers } = await readFileOf(kmlFormat, content, encoding === undefined ? {} : { encoding });
  return layers[0]!.features;
};

const tour = kml(
  `<Document id="d"><name>Walks</name>
  <StyleMap id="trail"><Pair><key>normal</key><styleUrl>#trail-n</styleUrl></Pair>
    <Pair><key>highlight</key><styleUrl>#trail-h</styleUrl></Pair></StyleMap>
  <Style id="trail-n"><LineStyle><color>ff0080ff</color><width>3</width></LineStyle></Style>
  <Style id="trail-h"><LineStyle><color>ffffffff</color></LineStyle></Style>
  <Style id="zone"><LineStyle><color>7f00ff00</color></LineStyle><PolyStyle><color>80ff0000</color><outline>0</outline></PolyStyle></Style>
  <Schema name="Trail" id="TrailId"><SimpleField type="double" name="length"><displayName>Length</displayName></SimpleField>
    <SimpleField type="string" name="code"/><SimpleField type="bool" name="open"/></Schema>
  <Folder><name>Hills</name>
    <Folder><name>North</name>
      <Placemark id="p1"><name>Top &amp; view</name><description><![CDATA[<b>High</b>]]></description>
        <TimeStamp><when>2026-05-01</when></TimeStamp>
        <ExtendedData><Data name="height"><displayName>x</displayName><value>1234.5</value></Data><Data name="zip"><value>01234</value></Data></ExtendedData>
        <Point><altitudeMode>absolute</altitudeMode><coordinates> 11.5 , 47.25 , 1234.5
        </coordinates></Point></Placemark>
    </Folder>
    <Placemark id="p2"><name>Way</name><styleUrl>#trail</styleUrl>
      <ExtendedData><SchemaData schemaUrl="#TrailId"><SimpleData name="length">12</SimpleData><SimpleData name="code">12</SimpleData><SimpleData name="open">1</SimpleData></SchemaData></ExtendedData>
      <LineString><tessellate>1</tessellate><coordinates>11,47 11.1,47.1
        11.2,47.2</coordinates></LineString></Placemark>
  </Folder>
  <Placemark><name>Area</name><TimeSpan><begin>2020</begin><end>2021</end></TimeSpan><styleUrl>#zone</styleUrl>
    <Style><PolyStyle><fill>0</fill></PolyStyle></Style>
    <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0,9 4,0,9 4,4,9 0,0,9</coordinates></LinearRing></outerBoundaryIs>
    <innerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
  <NetworkLink><Link><href>http://localhost:1/</href></Link></NetworkLink>
  <GroundOverlay><Icon><href>a.png</href></Icon></GroundOverlay>
</Document>`,
);

test('placemarks are read from folders, with times, data by their types, and the colours of their styles', async () => {
  const [top, way, area] = await read(tour);
  assert.equal(top!.id, 'p1');
  assert.deepEqual(top!.properties, {
    folder: 'Hills/North',
    name: 'Top & view',
    description: '<b>High</b>',
    when: '2026-05-01',
    height: 1234.5,
    zip: '01234',
  });
  assert.deepEqual(top!.parts, [['Point', [[[[11.5, 47.25]]]]]]);
  assert.deepEqual(way!.properties, {
    folder: 'Hills',
    name: 'Way',
    length: 12,
    code: '12',
    open: true,
    stroke: '#ff8000',
    'stroke-opacity': 1,
    'stroke-width': 3,
  });
  assert.deepEqual(area!.properties, {
    name: 'Area',
    begin: '2020',
    end: '2021',
    stroke: '#00ff00',
    'stroke-opacity': 0,
    fill: '#0000ff',
    'fill-opacity': 0,
  });
  assert.deepEqual(area!.parts[0]![1][0]!.length, 2);
  const byte = tour.indexOf('<Placemark><name>Area');
  assert.deepEqual(area!.place, { feature: 3, line: tour.slice(0, byte).split('\n').length, byte });
});

test('network links and overlays are reported, and nothing is fetched', async () => {
  const { warnings, layers } = await readFileOf(kmlFormat, tour);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['unsupportedNetworkLink', 'unsupportedGroundOverlay'],
  );
  assert.equal(layers[0]!.crs, 'OGC:CRS84');
});

test('tracks of the gx extension become lines with the time they span', async () => {
  const track = (from: number) =>
    `<gx:Track><when>2026-01-0${from}T00:00:00Z</when><when>2026-01-0${from + 1}T00:00:00Z</when>` +
    `<gx:coord>${from} 47.5 1000</gx:coord><gx:coord>${from + 1} 48 0</gx:coord></gx:Track>`;
  const [single, several] = await read(
    kml(
      `<Placemark>${track(1)}</Placemark><Placemark><gx:MultiTrack><gx:interpolate>0</gx:interpolate>${track(3)}${track(6)}</gx:MultiTrack></Placemark>`,
      'xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"',
    ),
  );
  assert.deepEqual(single!.parts, [
    [
      'LineString',
      [
        [
          [
            [1, 47.5],
            [2, 48],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(single!.properties, { begin: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' });
  assert.deepEqual(several!.parts, [
    [
      'MultiLineString',
      [
        [
          [
            [3, 47.5],
            [4, 48],
          ],
          [
            [6, 47.5],
            [7, 48],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(several!.properties, { begin: '2026-01-03T00:00:00Z', end: '2026-01-07T00:00:00Z' });
});

test('a prefix, an old namespace or none at all make no difference', async () => {
  const plain = '<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>';
  const prefixed = plain.replaceAll(/<(\/?)/g, '<$1k:');
  for (const text of [
    kml(plain, ''),
    kml(plain, 'xmlns="http://earth.google.com/kml/2.1"'),
    `<k:kml xmlns:k="http://www.opengis.net/kml/2.2">${prefixed}</k:kml>`,
    plain,
  ])
    assert.deepEqual((await read(text))[0]!.parts, [['Point', [[[[1, 2]]]]]]);
});

test('files in UTF-16 and in Latin-1 are read, and a wrong encoding is reported', async () => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><kml><Placemark><name>Übung</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`;
  const utf16 = Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le');
  for (const bytes of [
    Buffer.from(text('utf-8')),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(text('ISO-8859-1'), 'latin1'),
    Buffer.from(text('windows-1252'), 'latin1'),
  ])
    assert.equal((await read(bytes))[0]!.properties['name'], 'Übung');
  const lie = Buffer.from(text('utf-8'), 'latin1');
  assert.match((await read(lie))[0]!.problem!, /UTF-8/);
  assert.equal((await read(lie, 'latin1'))[0]!.properties['name'], 'Übung');
  await assert.rejects(read(text('klingon')), { code: 'unknownEncoding' });
});

test('invalid placemarks are rejected, the others are read', async () => {
  const features = await read(
    kml(
      [
        '<Point><coordinates>1</coordinates></Point>',
        '<Point><coordinates>1,2 3,4</coordinates></Point>',
        '<Point><coordinates>NaN,2</coordinates></Point>',
        '<Point><coordinates>1e999,2</coordinates></Point>',
        '<LineString><coordinates>1,2,3,4,5,6</coordinates></LineString>',
        '<LineString><coordinates>1;2 3;4</coordinates></LineString>',
        '<Polygon><innerBoundaryIs><LinearRing><coordinates>0,0 1,1 1,0 0,0</coordinates></LinearRing></innerBoundaryIs></Polygon>',
        '<Model><Link/></Model>',
        '<Point/>',
        '<name>nothing</name>',
      ]
        .map((content) => `<Placemark>${content}</Placemark>`)
        .join('\n'),
    ),
  );
  const problems = features.map(({ problem }) => problem !== undefined);
  assert.deepEqual(problems, [true, true, true, true, true, true, true, true, false, false]);
  assert.deepEqual(features[8]!.parts, []);
});

test('circular references between styles end', async () => {
  const [feature] = await read(
    kml(
      '<StyleMap id="a"><Pair><key>normal</key><styleUrl>#b</styleUrl></Pair></StyleMap><StyleMap id="b"><Pair><key>normal</key><styleUrl>#a</styleUrl></Pair></StyleMap>' +
        '<Placemark><styleUrl>#a</styleUrl><ExtendedData><Data name="__proto__"><value>1</value></Data></ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>',
    ),
  );
  assert.deepEqual(Object.keys(feature!.properties), ['__proto__']);
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((value) => value / 1e7),
);
const line = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 6 });
const rings = fc.array(line, { minLength: 1, maxLength: 3 });
const several = <T>(member: fc.Arbitrary<T>) => fc.array(member, { minLength: 2, maxLength: 3 });
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  fc.record({ type: fc.constant('Point'), coordinates: fc.tuple(number, number) }),
  fc.record({ type: fc.constant('LineString'), coordinates: line }),
  fc.record({ type: fc.constant('Polygon'), coordinates: rings }),
  fc.record({ type: fc.constant('MultiPoint'), coordinates: several(fc.tuple(number, number)) }),
  fc.record({ type: fc.constant('MultiLineString'), coordinates: several(line) }),
  fc.record({ type: fc.constant('MultiPolygon'), coordinates: several(rings) }),
);

function encode({ type, coordinates }: Geometry): string {
  if (type.startsWith('Multi')) {
    const members = (coordinates as unknown[]).map((member) =>
      encode({ type: type.slice(5), coordinates: member }),
    );
    return `<MultiGeometry>${members.join('\n')}</MultiGeometry>`;
  }
  const list = (positions: number[][]) =>
    `<coordinates>${positions.map(([x, y]) => `${x},${y},7`).join(' ')}</coordinates>`;
  const ring = (positions: number[][]) => `<LinearRing>${list(positions)}</LinearRing>`;
  if (type === 'Point') return `<Point>${list([coordinates as number[]])}</Point>`;
  if (type === 'LineString') return `<LineString>${list(coordinates as number[][])}</LineString>`;
  const [outer, ...holes] = coordinates as number[][][];
  return `<Polygon><outerBoundaryIs>${ring(outer!)}</outerBoundaryIs>${holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join('')}</Polygon>`;
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');

test('features are read as written', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => text.trim() === text && text !== '');
  const feature = fc.record({ id: fc.stringMatching(/^[a-z][a-z0-9.]{0,8}$/), geometry, name });
  await fc.assert(
    fc.asyncProperty(fc.array(feature, { minLength: 1, maxLength: 5 }), async (given) => {
      const seen = await read(
        kml(
          given
            .map(
              ({ id, geometry: shape, name: text }) =>
                `<Placemark id="${id}"><name>${escape(text)}</name>${encode(shape)}</Placemark>`,
            )
            .join('\n'),
        ),
      );
      assert.deepEqual(
        JSON.parse(
          JSON.stringify(
            seen.map(({ id, properties, parts, problem }) => ({ id, properties, parts, problem })),
          ),
        ),
        JSON.parse(
          JSON.stringify(
            given.map(({ id, geometry: shape, name: text }) => ({
              id,
              properties: { name: text },
              parts: expectedParts(shape),
            })),
          ),
        ),
      );
    }),
    { numRuns: 80 },
  );
});

test('200 damaged files give features or an error, and never harm', () => survivesMutations(kmlFormat, tour));
