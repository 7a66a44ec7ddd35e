import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createGeometryBuffer, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import { readWkt } from '../wkt/read-wkt.ts';
import { sourceFormats } from './formats.ts';
import { openSources } from './open-sources.ts';

const { folder, newPath } = makeTestFolder('');

/** x, y, Z and M of each position; absent ones are left out at the end. */
function positionsOf({ coordinates, positionCount, heights }: GeometryBuffer): number[][] {
  return Array.from({ length: positionCount }, (_, i) => {
    const all = [coordinates[2 * i]!, coordinates[2 * i + 1]!, heights!.z[i]!, heights!.m[i]!];
    return all.slice(0, Number.isNaN(all[3]) ? (Number.isNaN(all[2]) ? 2 : 3) : 4);
  });
}

/** The positions of all features of all layers. */
async function read(path: string, name: string, keepsHeights = true): Promise<number[][][]> {
  const { size } = await stat(path);
  const { signal } = new AbortController();
  const options = { signal, partBytes: 1e9, scratchFolder: folder };
  const sources = await openSources({ path, name, size, related: {} }, options);
  const seen: number[][][] = [];
  for (const { format, layers } of sources) {
    for (const part of layers.flatMap(({ parts }) => parts))
      await (
        await sourceFormats[format]!()
      ).read(
        part,
        ({ geometry, problem }) => {
          assert.equal(problem, undefined);
          if (keepsHeights) seen.push(positionsOf(geometry));
          else assert.equal(geometry.heights, undefined);
        },
        { maxFeatureBytes: 1e8, keepsHeights },
      );
  }
  return seen;
}

async function readText(name: string, text: string): Promise<number[][][]> {
  const path = newPath();
  await writeFile(path, text);
  await read(path, name, false);
  return read(path, name);
}

const line = [
  [8, 50, 100.5],
  [8.5, 50.25, 110],
  [9, 50, -3],
];

test('text formats keep the heights of positions for who asks, and none of an earlier feature', async () => {
  const geometry = (coordinates: unknown, type: string) =>
    JSON.stringify({ type: 'Feature', properties: {}, geometry: { type, coordinates } });
  assert.deepEqual(
    await readText(
      'a.geojsonl',
      [
        geometry(line, 'LineString'),
        geometry(
          [
            [7, 50],
            [7, 51, 5, 6],
            [8, 51, 2.5e1],
          ],
          'LineString',
        ),
        geometry([1, 2], 'Point'),
      ].join('\n'),
    ),
    [
      line,
      [
        [7, 50],
        [7, 51, 5, 6],
        [8, 51, 25],
      ],
      [[1, 2]],
    ],
  );
  assert.deepEqual(
    await readText(
      'a.csv',
      'id;wkt\n1;LINESTRING Z (8 50 100.5, 8.5 50.25 110, 9 50 -3)\n2;POINT M (1 2 3)\n3;POINT ZM (1 2 3 4)\n4;POINT (5 6)\n',
    ),
    [line, [[1, 2, NaN, 3]], [[1, 2, 3, 4]], [[5, 6]]],
  );
  const text = (separator: string) => line.map((position) => position.join(separator)).join(' ');
  assert.deepEqual(
    await readText(
      'a.kml',
      `<kml><Placemark><LineString><coordinates>${text(',')}</coordinates></LineString></Placemark><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`,
    ),
    [line, [[1, 2]]],
  );
  const points = line.map(
    ([lon, lat, ele]) =>
      `<trkpt lat="${lat}" lon="${lon}"><name>x</name><ele>${ele}</ele><x><ele>9</ele></x></trkpt>`,
  );
  assert.deepEqual(
    await readText(
      'a.gpx',
      `<gpx><wpt lat="50" lon="8"><ele>7.5</ele></wpt><wpt lat="51" lon="8"/><trk><name>T</name><trkseg>${points.join('')}</trkseg></trk></gpx>`,
    ),
    [[[8, 50, 7.5]], [[8, 51]], line],
  );
  const gml = (content: string) =>
    `<c xmlns:gml="http://www.opengis.net/gml/3.2"><gml:featureMember><f><g>${content}</g></f></gml:featureMember></c>`;
  const list = (name: string, srs: string) =>
    gml(
      `<gml:${name} srsName="${srs}" srsDimension="3"><gml:posList>${text(' ')}</gml:posList></gml:${name}>`,
    );
  assert.deepEqual(await readText('a.gml', list('LineString', 'urn:ogc:def:crs:OGC:1.3:CRS84')), [line]);
  const turned = line.map(([x, y, z]) => [y, x, z]);
  assert.deepEqual(await readText('b.gml', list('LineString', 'urn:ogc:def:crs:EPSG::4979')), [turned]);
  const reversed = `<gml:OrientableCurve orientation="-"><gml:baseCurve><gml:LineString srsDimension="3"><gml:posList>${text(' ')}</gml:posList></gml:LineString></gml:baseCurve></gml:OrientableCurve>`;
  assert.deepEqual(await readText('c.gml', gml(reversed)), [line.toReversed()]);
});

test('WKB of both kinds keeps Z and M, and along an arc heights rise evenly', () => {
  const geometry = createGeometryBuffer(true);
  const wkb = (type: number, numbers: readonly number[]) => {
    const bytes = Buffer.alloc(5 + 8 * numbers.length);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt32LE(type, 1);
    numbers.forEach((number, i) => bytes.writeDoubleLE(number, 5 + 8 * i));
    return bytes;
  };
  for (const [type, numbers, expected] of [
    [1001, [1, 2, 3], [1, 2, 3]],
    [0x8000_0001, [1, 2, 3], [1, 2, 3]],
    [2001, [1, 2, 3], [1, 2, NaN, 3]],
    [0xc000_0001, [1, 2, 3, 4], [1, 2, 3, 4]],
    [1, [1, 2], [1, 2]],
  ] as const) {
    assert.equal(readWkb(wkb(type, numbers), 0, geometry), undefined);
    assert.deepEqual(positionsOf(geometry), [expected], String(type));
  }
  assert.equal(readWkt('CIRCULARSTRING Z (0 0 10, 1 1 99, 2 0 20)', geometry), undefined);
  const heights = positionsOf(geometry).map(([, , z]) => z!);
  assert.ok(heights.length > 20);
  assert.deepEqual([heights[0], heights.at(-1)], [10, 20]);
  assert.ok(heights.every((z, i) => i === 0 || (z > heights[i - 1]! && z - heights[i - 1]! < 1)));
});

test('a buffer that grows keeps its heights', async () => {
  const long = Array.from({ length: 20_000 }, (_, i) => [i / 1000, 50, i]);
  const text = JSON.stringify({ type: 'LineString', coordinates: long });
  assert.deepEqual(await readText('long.geojson', text), [long]);
});

const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0;
const run = promisify(execFile);

/** Rings of an island with a hole, and another island, in the order that each format has them in. */
const islands = {
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [0, 0, 1],
        [10, 0, 2],
        [10, 10, 3],
        [0, 10, 4],
        [0, 0, 1],
      ],
      [
        [2, 2, 5],
        [2, 4, 6],
        [4, 4, 7],
        [4, 2, 8],
        [2, 2, 5],
      ],
    ],
    [
      [
        [20, 0, 9],
        [30, 0, 10],
        [30, 10, 11],
        [20, 0, 9],
      ],
    ],
  ],
};

for (const [driver, ending] of [
  ['ESRI Shapefile', 'shp'],
  ['FlatGeobuf', 'fgb'],
  ['GPKG', 'gpkg'],
  ['GML', 'gml'],
  ['KML', 'kml'],
] as const)
  test(
    `heights of a file that GDAL wrote as ${driver} are those of its positions`,
    { skip: !hasGdal && 'ogr2ogr (gdal-bin) is not installed' },
    async () => {
      const from = join(folder, `from-${ending}.geojson`);
      for (const [name, geometry] of [
        ['line', { type: 'LineString', coordinates: line }],
        ['islands', islands],
        ['point', { type: 'Point', coordinates: [1, 2, 3] }],
      ] as const) {
        await writeFile(from, JSON.stringify({ type: 'Feature', properties: { a: 1 }, geometry }));
        const to = join(folder, `${ending}-${name}`);
        await mkdir(to, { recursive: true });
        const path = join(to, `data.${ending}`);
        await run('ogr2ogr', ['-f', driver, path, from]);
        const [positions, ...more] = await read(path, `data.${ending}`);
        assert.equal(more.length, 0);
        const expected = (geometry.coordinates as unknown[]).flat(
          name === 'islands' ? 2 : 0,
        ) as unknown as number[][];
        const given = name === 'point' ? [geometry.coordinates as unknown as number[]] : expected;
        // the direction and the first position of rings differ by format
        const key = (position: readonly number[]) => position.join();
        assert.deepEqual(new Set(positions!.map(key)), new Set(given.map(key)), name);
        assert.equal(positions!.length, given.length);
      }
    },
  );

test(
  'M is kept where a shapefile has it, and its value for no M is none',
  { skip: !hasGdal && 'ogr2ogr (gdal-bin) is not installed' },
  async () => {
    const csv = join(folder, 'm.csv');
    await writeFile(csv, 'id,WKT\n1,"LINESTRING ZM (1 2 3 4, 5 6 7 8)"\n');
    const path = join(folder, 'm.shp');
    await run('ogr2ogr', ['-f', 'ESRI Shapefile', path, csv, '-nlt', 'LINESTRINGZM', '-lco', 'SHPT=ARCZM']);
    assert.deepEqual(await read(path, 'm.shp'), [
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ],
    ]);
    const bytes = await readFile(path);
    bytes.writeDoubleLE(-1.7e308, bytes.length - 8);
    await writeFile(path, bytes);
    assert.deepEqual(await read(path, 'm.shp'), [
      [
        [1, 2, 3, 4],
        [5, 6, 7],
      ],
    ]);
  },
);
