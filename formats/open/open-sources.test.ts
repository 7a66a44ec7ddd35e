import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { encodeDbf, encodeShp, writeParts } from '../shapefile/testing.ts';
import { zipOfFiles } from '../zip/testing.ts';
import { sourceFormats } from './formats.ts';
import { openSources } from './open-sources.ts';
import { SourceError, type Source } from '../source/source.ts';
import { afterFile } from '../../checks/clean-up.ts';

let folder: string;
let count = 0;
const signal = new AbortController().signal;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-sources-'));
});
afterFile(() => rm(folder, { recursive: true }));

interface UploadOptions {
  readonly related?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
}

async function openUpload(
  name: string,
  content: Buffer | string,
  { related, maxBytes }: UploadOptions = {},
): Promise<Source[]> {
  const path = join(folder, `upload-${++count}`);
  const scratchFolder = join(folder, `scratch-${count}`);
  await mkdir(scratchFolder);
  await writeFile(path, content);
  const size = Buffer.byteLength(content);
  try {
    return await openSources(
      { path, name, size, ...(related && { related }) },
      { signal, partBytes: 1e6, scratchFolder, ...(maxBytes && { maxBytes }) },
    );
  } catch (error) {
    assert.deepEqual(await readdir(scratchFolder), [], 'nothing stays behind');
    throw error;
  }
}

async function readAll(sources: readonly Source[]): Promise<[string, Record<string, unknown>[]][]> {
  const all: [string, Record<string, unknown>[]][] = [];
  for (const { file, layers, format } of sources) {
    const { read } = await sourceFormats[format]!();
    const seen: Record<string, unknown>[] = [];
    for (const part of layers.flatMap(({ parts }) => parts))
      await read(part, ({ properties }) => void seen.push({ ...properties }), { maxFeatureBytes: 1e6 });
    all.push([file.name, seen]);
  }
  return all;
}

const { shp, shx } = encodeShp([{ type: 1, points: [[1, 2]] }]);
const table = (value: string): Buffer =>
  encodeDbf({ fields: [{ name: 'n', type: 'C', length: 4 }], rows: [[value]] });
const geojson = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"n":"g"}}';
const csv = 'lon,lat,n\n1,2,c\n';

test('a zip file gives its shapefiles and tables sorted by name, and skips the rest', async () => {
  const sources = await openUpload(
    'upload.zip',
    zipOfFiles({
      'z/table.csv': csv,
      'roads.shp': shp,
      'ROADS.DBF': table('r'),
      'roads.shx': shx,
      'roads.prj': 'GEOGCS["WGS 84"]',
      'roads.shp.xml': '<metadata/>',
      'roads.qix': 'SQT\x01',
      'roads.sbn': Buffer.concat([Buffer.of(0, 0, 0x27, 0x0a, 0xff, 0xff, 0xfe, 0x70), Buffer.alloc(92)]),
      'readme.txt': 'Read, me\nand, this\n',
      'plan.pdf': '%PDF-1.4',
      'a.geojson.gz': gzipSync(geojson),
      'inner.zip': zipOfFiles({ 'b.csv': csv }),
      'notes/stops.csv': 'name,street\na,b\n',
    }),
  );
  assert.deepEqual(await readAll(sources), [
    ['upload.zip/a.geojson', [{ n: 'g' }]],
    ['upload.zip/roads.shp', [{ n: 'r' }]],
    ['upload.zip/z/table.csv', [{ n: 'c' }]],
  ]);
  assert.deepEqual(sources[1]!.warnings, []);
  assert.equal(sources[1]!.layers[0]!.crs, 'GEOGCS["WGS 84"]');
});

test('gzip around a file or a zip file is unpacked', async () => {
  assert.deepEqual(await readAll(await openUpload('a.csv.gz', gzipSync(csv))), [['a.csv', [{ n: 'c' }]]]);
  assert.deepEqual(await readAll(await openUpload('a.zip.gz', gzipSync(zipOfFiles({ 'b.csv': csv })))), [
    ['a.zip/b.csv', [{ n: 'c' }]],
  ]);
});

test('the loose parts of a shapefile belong together, in any order', async () => {
  const parts = await writeParts(join(folder, 'loose'), { shp, dbf: table('l'), prj: 'GEOGCS["x"]' });
  const { dbf, prj } = parts;
  assert.deepEqual(await readAll(await openUpload('roads.shp', shp, { related: { dbf: dbf!, prj: prj! } })), [
    ['roads.shp', [{ n: 'l' }]],
  ]);
  const [source] = await openUpload('roads.dbf', table('d'), { related: { shp: parts['shp']!, prj: prj! } });
  assert.deepEqual(await readAll([source!]), [['roads.shp', [{ n: 'd' }]]]);
  assert.equal(source!.layers[0]!.crs, 'GEOGCS["x"]');
});

test('an upload without data is refused with a list of its content', async () => {
  const refused = async (
    name: string,
    content: Buffer | string,
    code: string,
    message: RegExp,
    given?: UploadOptions,
  ): Promise<void> =>
    assert.rejects(openUpload(name, content, given), (error) => {
      assert.ok(error instanceof SourceError, String((error as Error).stack));
      assert.match(error.message, message);
      assert.equal(error.code, code);
      return true;
    });
  await refused('a', '%PDF', 'unsupported', /^it is a PDF document/);
  await refused('a.dbf', table('x'), 'unsupported', /upload the .shp with/);
  await refused('a.zip', zipOfFiles({}), 'notRecognised', /archive is empty/);
  await refused(
    'a.zip',
    zipOfFiles({ 'a.dbf': table('x'), 'a.txt': 'x' }),
    'unsupported',
    /^a\.dbf: .*upload the \.shp/,
  );
  await refused('a.zip', zipOfFiles({ 'b.pdf': '%PDF' }), 'unsupported', /^b\.pdf: it is a PDF/);
  await refused(
    'a.zip',
    zipOfFiles({ 'b.pdf': '%PDF', 'c.txt': 'hello', 'd.zip': zipOfFiles({ x: 'y' }) }),
    'unsupported',
    /only b\.pdf \(a PDF document\), c\.txt \(a text that is not a table\), d\.zip \(an archive inside the archive\)/,
  );
  await refused(
    'a.xlsx',
    zipOfFiles({ '[Content_Types].xml': '<Types/>', 'xl/a.xml': '<a/>' }),
    'unsupported',
    /Office/,
  );
  await refused(
    'a.zip',
    zipOfFiles({ 'a.gdb/a01.gdbtable': 'x', 'a.gdb/gdb': 'y' }),
    'unsupported',
    /File Geodatabase/,
  );
  await refused(
    'a.zip',
    zipOfFiles({ 'a.csv': 'a,b\n1x,2x\n' }),
    'unsupported',
    /^a\.csv: none of its columns/,
  );
  await refused(
    'a.zip',
    zipOfFiles({ 'a.shp': shp.subarray(0, 120), 'b.csv': csv }),
    'truncatedFile',
    /^a\.shp: /,
  );
  await refused('a.gz', gzipSync(gzipSync(csv)), 'unsupported', /archive inside an archive/);
  await refused('a.gz', gzipSync('x'.repeat(1000)), 'refusedZip', /permitted/, { maxBytes: 500 });
  await refused('a.zip', zipOfFiles({ 'a.gz': gzipSync('x'.repeat(1000)) }), 'refusedZip', /permitted/, {
    maxBytes: 900,
  });
});

test('an abort stops opening and leaves nothing behind', async () => {
  const scratchFolder = join(folder, 'aborted');
  await mkdir(scratchFolder);
  const path = join(folder, 'long.gz');
  await writeFile(path, gzipSync(Buffer.alloc(200e6, 'lon,lat\n1,2\n'), { level: 1 }));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  await assert.rejects(
    openSources(
      { path, name: 'long.csv.gz', size: 1e6 },
      { signal: controller.signal, partBytes: 1e6, scratchFolder },
    ),
    { name: 'AbortError' },
  );
  assert.deepEqual(await readdir(scratchFolder), []);
});
