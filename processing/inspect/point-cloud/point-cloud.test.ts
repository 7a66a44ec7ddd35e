import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedBytes } from '@platen/formats/geotiff/testing';
import { decodeCopcInfo, readRootNodes } from '@platen/formats/las/copc';
import { listRecords, readLasHeader } from '@platen/formats/las/read-header';
import { gardenPoints, readGardenCopc } from '@platen/formats/las/testing-copc';
import {
  extraRecord,
  laszipRecord,
  keysRecord,
  writeLas,
  wktRecord,
  type WrittenPoint,
} from '@platen/formats/las/testing';
import {
  codesOf,
  endlessBytes,
  inspectFile,
  inspectFolder,
  inspectSubject,
  sampleFile,
  subjectOf,
  survivesDamage,
} from '../testing-subject.ts';
import { writeE57 } from '@platen/formats/e57/testing';

/** A square of 100 m with four points on each square metre. */
const points: WrittenPoint[] = Array.from({ length: 200 * 200 }, (_, i) => ({
  x: 600_000 + (i % 200) / 2,
  y: 5_400_000 + Math.floor(i / 200) / 2,
  z: 500 + (i % 7),
  classification: i % 4 === 0 ? 6 : 2,
  colour: [40_000, i & 0xffff, 20_000],
}));
const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
  [4096, 0, 1, 7837],
]);

test('the report of a LAS contains its position, density, classes and point attributes', async () => {
  const las = writeLas({ pointFormat: 2, points, records: [utm] });
  const { kind, formatTitle, formatVersion, layers, uses, issues, thumbnail } = await inspectFile(
    'a.las',
    las,
  );
  assert.deepEqual(
    [kind, formatTitle, formatVersion, issues],
    ['pointCloud', 'LAS point cloud', 'LAS 1.2', []],
  );
  const [layer] = layers;
  assert.deepEqual([layer!.featureCount, layer!.isEstimated], [40_000, false]);
  assert.deepEqual([layer!.crs!.code, layer!.verticalDatum], ['EPSG:25832', 'DHHN2016 height']);
  assert.ok(layer!.bbox![0]! > 10.3 && layer!.bbox![2]! < 10.4);
  const { pointsPerSquareMetre, classes, hasColours } = layer!.details!;
  assert.ok(Math.abs(Number(pointsPerSquareMetre) - 4) < 0.3, String(pointsPerSquareMetre));
  assert.equal(hasColours, true);
  assert.deepEqual(classes, [
    { code: 2, name: 'ground', share: 0.75 },
    { code: 6, name: 'building', share: 0.25 },
  ]);
  assert.ok(layer!.fields.some(({ name }) => name === 'Red'));
  assert.equal(uses[0]!.type, 'tileset');
  assert.match(thumbnail!, /^data:image/);
});

test('extra bytes are attributes by their names, and those without a description are counted', async () => {
  const some = points.slice(0, 500);
  const las = writeLas({
    points: some,
    records: [
      utm,
      extraRecord([
        { name: 'Höhe', type: 4, scale: 0.01 },
        { name: '标签', type: 1 },
      ]),
    ],
    extraBytes: some.map(() => Buffer.alloc(10_000)),
  });
  const { layers, issues } = await inspectFile('a.las', las);
  assert.deepEqual(issues, []);
  const [{ fields, details }] = layers as [(typeof layers)[0]];
  assert.deepEqual(
    fields.slice(-2).map(({ name, type }) => [name, type]),
    [
      ['Höhe', 'number'],
      ['标签', 'integer'],
    ],
  );
  assert.equal(details!['undescribedBytes'], 9997);
});

test('a compound CRS in WKT says what heights are measured from', async () => {
  const wkt = wktRecord(
    'COMPD_CS["a",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],VERT_CS["EGM2008 height",VERT_DATUM["EGM2008 geoid",2005],UNIT["metre",1]]]',
  );
  const some = [
    { x: 11, y: 48, z: 1 },
    { x: 11.5, y: 48.5, z: 9 },
  ];
  const { layers } = await inspectFile(
    'w.las',
    writeLas({ minor: 4, pointFormat: 6, points: some, records: [wkt], isWkt: true }),
  );
  assert.deepEqual([layers[0]!.verticalDatum, layers[0]!.bbox], ['EGM2008 height', [11, 48, 11.5, 48.5]]);
});

test('without a CRS it is guessed from the coordinates, and said so', async () => {
  const report = await inspectFile('n.las', writeLas({ points }));
  assert.deepEqual([codesOf(report), report.layers[0]!.crs!.isGuessed], [['missingCrs'], true]);
  assert.match(report.uses[0]!.reason, /CRS must be determined/);
  const candidatesIn = ({ layers }: typeof report) => layers[0]!.crs!.candidates!.map(({ code }) => code);
  assert.deepEqual(candidatesIn(report), ['EPSG:25832', 'EPSG:3857']);
  // where the project is decides on the zone
  const east = await inspectFile('e.las', writeLas({ points }), { area: [13, 48, 17, 49] });
  assert.deepEqual(candidatesIn(east), ['EPSG:25833', 'EPSG:3857']);
  assert.deepEqual([east.layers[0]!.crs!.code, Math.round(east.layers[0]!.bbox![0]!)], ['EPSG:25833', 16]);
  assert.match(east.issues[0]!.message, /may be UTM zone 33 \(EPSG:25833\)/);
});

test('geocentric coordinates have a place on earth, unless they are not near its surface', async () => {
  const geocentric = keysRecord([[1024, 0, 1, 3]]);
  // 11° E, 48° N
  const there = [0, 1].map((i) => ({ x: 4_198_400 + i, y: 816_100 + i, z: 4_717_400 + i }));
  const { layers } = await inspectFile('g.las', writeLas({ points: there, records: [geocentric] }));
  assert.deepEqual([layers[0]!.crs!.code, layers[0]!.bbox!.map(Math.round)], ['EPSG:4978', [11, 48, 11, 48]]);
});

test('says how many points are left of one that is cut off', async () => {
  const las = writeLas({ points, records: [utm] });
  const report = await inspectFile('cut.las', las.subarray(0, las.length / 2));
  assert.match(report.issues[0]!.message, /only \d+ of 40000 points are present/);
});

test('an empty one says that it has no points', async () => {
  assert.ok(
    codesOf(await inspectFile('e.las', writeLas({ points: [], records: [utm] }))).includes('noPoints'),
  );
});

for (const [title, compressor, item, code] of [
  ['one of before 2011', 1, { type: 6, version: 2 }, 'oldCompression'],
  ['items of the first version', 2, { type: 6, version: 1 }, 'oldCompression'],
  ['items of a version to come', 3, { type: 10, version: 5 }, 'newerCompression'],
  ['a compressor to come', 4, { type: 10, version: 3 }, 'newerCompression'],
] as const)
  test(`a LAZ of ${title}, which no job can read, says so, and is offered none`, async () => {
    const las = writeLas({ points, records: [utm, laszipRecord(compressor, item)] });
    las.writeUInt8(128, 104);
    const report = await inspectFile('a.laz', las);
    assert.deepEqual([codesOf(report), report.uses, report.points], [[code], [], undefined]);
    const sound = writeLas({ points, records: [utm] });
    const sheets = await inspectFolder({ '1.las': sound, '2.las': sound, '3.laz': las });
    assert.match(
      sheets.issues.map(({ message }) => message).join(),
      /3\.laz\. The first: .* (?:old|newer) version of LAZ/,
    );
  });

test('reads only some runs of a large one', async () => {
  const many = Array.from({ length: 30 }, () => points).flat();
  const bytes = countedBytes(writeLas({ points: many, records: [utm] }));
  await inspectSubject(subjectOf({ 'large.las': bytes }, 'large.las'));
  assert.ok(bytes.bytesRead() < bytes.size / 2, `${bytes.bytesRead()} of ${bytes.size}`);
});

test('survives damage of a LAS', () => {
  const some = points.slice(0, 2000);
  const las = writeLas({ minor: 4, pointFormat: 7, points: some, records: [utm] });
  return survivesDamage({ 'a.las': las }, 'a.las', 'a.las');
});

for (const name of ['lone-star.laz', 'lone-star.copc.laz']) {
  const { skip, read } = sampleFile(`points/${name}`);
  test(`the report recognises ${name}`, { skip }, async () => {
    const { formatTitle, layers, thumbnail } = await inspectFile(name, await read());
    assert.match(formatTitle!, name.includes('copc') ? /COPC/ : /LAZ/);
    assert.deepEqual([layers[0]!.featureCount, layers[0]!.isEstimated], [518_862, false]);
    assert.ok((layers[0]!.details!['sampledPoints'] as number) > 200_000);
    assert.ok(thumbnail!.length < 120_000);
  });
}

/** With its smallest node alone: damage then mostly meets what is decoded. */
async function smallestOf(copc: Buffer): Promise<Buffer> {
  const bytes = countedBytes(copc);
  const header = await readLasHeader(bytes);
  const { records } = await listRecords(bytes, header);
  const info = records.find(({ user, id }) => user === 'copc' && id === 1)!;
  const nodes = await readRootNodes(bytes, decodeCopcInfo(copc.subarray(info.offset, info.offset + 160)));
  const { offset, length, points: count } = nodes.toSorted((a, b) => a.points - b.points)[0]!;
  const head = copc.subarray(0, header.pointOffset);
  const page = Buffer.alloc(32);
  page.writeBigUInt64LE(BigInt(head.length), 16);
  page.writeInt32LE(length, 24);
  page.writeInt32LE(count, 28);
  const small = Buffer.concat([head, copc.subarray(offset, offset + length), page]);
  small.writeBigUInt64LE(BigInt(head.length + length), info.offset + 40);
  small.writeBigUInt64LE(32n, info.offset + 48);
  small.writeBigUInt64LE(BigInt(count), 247);
  // no records behind the points
  small.writeUInt32LE(0, 243);
  return small;
}

test('the report of a COPC names its points and place, and asks for nothing', async () => {
  const report = await inspectFile('garden.copc.laz', await readGardenCopc());
  const [layer] = report.layers;
  assert.deepEqual(
    [report.formatTitle, layer!.crs?.code, layer!.featureCount],
    ['Cloud-optimized point cloud (COPC)', 'EPSG:25832', gardenPoints],
  );
  assert.deepEqual(codesOf(report), []);
});

test('survives damage of a COPC', async () => {
  const small = await smallestOf(await readGardenCopc());
  const report = await inspectFile('small.copc.laz', small);
  assert.equal(report.layers[0]!.details!['sampledPoints'], 218);
  await survivesDamage({ 'small.copc.laz': small }, 'small.copc.laz', 'small.copc.laz');
});

const { skip, name, read } = sampleFile('points/bunny.e57');
test('the report of an E57 has its scans and a picture, and asks for its place', { skip }, async () => {
  const report = await inspectFile(name, await read());
  const [layer] = report.layers;
  assert.deepEqual([report.format, layer!.featureCount, layer!.bbox], ['e57', 30_571, undefined]);
  assert.deepEqual(layer!.details!['scans'], [{ name: 'bunny', points: 30_571, hasPose: false }]);
  assert.deepEqual(codesOf(report), ['noPlace']);
  assert.match(report.thumbnail!, /^data:image/);
});

test('survives damage of an E57', () => {
  const axis = (field: string) => ({
    name: field,
    type: 'scaled' as const,
    minimum: -9000,
    maximum: 9000,
    scale: 0.01,
    values: Array.from({ length: 300 }, (_, i) => i / 10),
  });
  const small = writeE57({ scans: [{ fields: ['cartesianX', 'cartesianY', 'cartesianZ'].map(axis) }] });
  return survivesDamage({ 'a.e57': small }, 'a.e57', 'a.e57');
});

test('the report of a text of points has its columns, classes and place', async () => {
  const rows = points
    .slice(0, 5000)
    .map(({ x, y, z, colour }, i) => [x, y, z, ...colour!, i % 2 ? 2 : 6].join(';'));
  const report = await inspectFile('a.txt', ['x;y;z;r;g;b;class', ...rows].join('\n'));
  const [layer] = report.layers;
  assert.deepEqual([report.kind, report.format, layer!.featureCount], ['pointCloud', 'xyz', 5000]);
  assert.deepEqual([layer!.crs!.isGuessed, layer!.details!['hasColours']], [true, true]);
  assert.deepEqual(
    layer!.fields.map((field) => field.name),
    ['x', 'y', 'z', 'r', 'g', 'b', 'class'],
  );
  const local = await inspectFile('a.pts', '2\n1 2 3 4 5 6 7\n2 3 4 5 6 7 8\n');
  assert.deepEqual([local.format, codesOf(local)], ['pts', ['noPlace']]);
});

test('a large text is sampled, and its points are estimated', async () => {
  const { bytes, times } = endlessBytes('x y z i\n', '500000.25 5400000.5 100.125 7\n', '', 10e9);
  const report = await inspectSubject(subjectOf({ 'large.xyz': bytes }, 'large.xyz'));
  const { featureCount, isEstimated } = report!.layers[0]!;
  assert.equal(isEstimated, true);
  assert.ok(Math.abs(featureCount! / times - 1) < 0.01, `${featureCount} instead of ${times}`);
});

test('grids of terrain and tables of other features are no clouds of points', async () => {
  const grid = Array.from(
    { length: 900 },
    (_, i) => `${500_000 + (i % 30)} ${5_400_000 - Math.floor(i / 30)} 100.${i}`,
  );
  const trees = 'x,y,z,species\n11,48,500,oak\n11.1,48,510,elm\n';
  for (const [file, content] of [
    ['grid.xyz', grid.join('\n')],
    ['trees.csv', trees],
  ] as const)
    assert.notEqual((await inspectSubject(subjectOf({ [file]: content }, file)))?.kind, 'pointCloud');
});

test('a wrong geocentric system is named, and what the coordinates look like is suggested', async () => {
  const geocentric = keysRecord([[1024, 0, 1, 3]]);
  const area = [13, 48, 17, 49] as const;
  const report = await inspectFile('w.las', writeLas({ points, records: [geocentric] }), { area });
  const { crs, bbox } = report.layers[0]!;
  assert.deepEqual(
    [codesOf(report), crs!.code, crs!.isGuessed],
    [['projectedCoordinates'], 'EPSG:25833', true],
  );
  assert.ok(bbox![0]! > 16 && bbox![2]! < 17);
  assert.match(report.issues[0]!.message, /not on the surface of the earth. They may be .*UTM zone 33/);
});
