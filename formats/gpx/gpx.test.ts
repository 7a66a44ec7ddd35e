import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFileOf, survivesMutations } from '../xml/testing.ts';
import { gpxFormat } from './format.ts';

const gpx = (content: string, version = '1.1') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="${version}" creator="test" xmlns="http://www.topografix.com/GPX/${version.replace('.', '/')}" xmlns:x="http://example.org/x">\n${content}\n</gpx>`;
const layersOf = async (content: string | Uint8Array) => (await readFileOf(gpxFormat, content)).layers;

const day = gpx(`<metadata><name>Day out</name><time>2026-05-01T10:00:00Z</time></metadata>
<wpt lat="47.25" lon="11.5"><ele>1234.50</ele><time>2026-05-01T10:00:00Z</time><name>007</name><cmt/><sym>Summit</sym><sat>9</sat>
  <link href="https://example.org/top"><text>Top</text></link><extensions><x:Box><x:heart>120</x:heart></x:Box><x:wpt lat="0" lon="0"/></extensions></wpt>
<rte><name>There</name><number>3</number><rtept lat="1" lon="2"><name>a</name></rtept><rtept lat="3" lon="4"/></rte>
<trk><name>Back</name><type>9</type><desc><![CDATA[a <b>]]></desc>
  <trkseg><trkpt lat="1" lon="2"><ele>9</ele><extensions><x:heart>99</x:heart></extensions></trkpt><trkpt lat="1.5" lon="2.5"/></trkseg>
  <trkseg/><trkseg><trkpt lat="5" lon="6"/><trkpt lat="7" lon="8"/></trkseg></trk>`);

test('waypoints, routes and tracks are layers, with the attributes of the standard and of extensions', async () => {
  const [waypoints, routes, tracks, ...more] = await layersOf(day);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [waypoints!.name, routes!.name, tracks!.name, tracks!.crs],
    ['waypoints', 'routes', 'tracks', 'OGC:CRS84'],
  );
  const [top] = waypoints!.features;
  assert.deepEqual(top!.parts, [['Point', [[[[11.5, 47.25]]]]]]);
  assert.deepEqual(top!.properties, {
    ele: 1234.5,
    time: '2026-05-01T10:00:00Z',
    name: '007',
    sym: 'Summit',
    sat: 9,
    link: 'https://example.org/top',
    heart: 120,
  });
  assert.deepEqual(top!.place, { feature: 1, line: 4, byte: day.indexOf('<wpt') });
  assert.deepEqual(routes!.features[0]!.parts, [
    [
      'LineString',
      [
        [
          [
            [2, 1],
            [4, 3],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(routes!.features[0]!.properties, { name: 'There', number: 3 });
  assert.deepEqual(tracks!.features[0]!.parts, [
    [
      'MultiLineString',
      [
        [
          [
            [2, 1],
            [2.5, 1.5],
          ],
          [
            [6, 5],
            [8, 7],
          ],
        ],
      ],
    ],
  ]);
  assert.deepEqual(tracks!.features[0]!.properties, { name: 'Back', type: '9', desc: 'a <b>' });
});

test('GPX 1.0 and UTF-16 are read, and absent kinds are not layers', async () => {
  const text = gpx('<wpt lat="1" lon="2"><name>Ä</name><url>u</url></wpt>', '1.0').replace('UTF-8', 'UTF-16');
  const [layer, ...more] = await layersOf(Buffer.from(`\ufeff${text}`, 'utf16le'));
  assert.deepEqual(more, []);
  assert.deepEqual(layer!.features[0]!.properties, { name: 'Ä', url: 'u' });
});

test('points without a position are rejected', async () => {
  const [waypoints, tracks] = await layersOf(
    gpx(
      '<wpt lon="1"/><wpt lat="x" lon="1"/><wpt lat="1e400" lon="1"/><wpt lat="+1." lon="-.5"/><trk><trkseg><trkpt lat="" lon="1"/></trkseg></trk>',
    ),
  );
  assert.deepEqual(
    waypoints!.features.map(({ problem }) => problem !== undefined),
    [true, true, true, false],
  );
  assert.match(tracks!.features[0]!.problem!, /trkpt/);
});

test('tracks are read as written', async () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const track = fc.array(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(track, { minLength: 1, maxLength: 5 }), async (tracks) => {
      const text = tracks.map(
        (segments) =>
          `<trk>${segments.map((points) => `<trkseg>${points.map(([x, y]) => `<trkpt lat="${y}" lon='${x}'/>`).join('\n')}</trkseg>`).join('')}</trk>`,
      );
      const [layer] = await layersOf(gpx(text.join('\n')));
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
      assert.deepEqual(
        plain(layer!.features.map(({ parts }) => parts)),
        plain(tracks.map((segments) => [['MultiLineString', [segments]]])),
      );
    }),
    { numRuns: 60 },
  );
});

test('200 damaged files give features or an error, and never harm', () => survivesMutations(gpxFormat, day));
