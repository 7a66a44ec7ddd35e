import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { imageEndings } from './find-sheets.ts';
import { unpackInputs } from './unpack-inputs.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-unpack-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const put = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
};

const inputOf = async (name: string, more: Partial<JobInput> = {}): Promise<JobInput> => {
  const path = join(folder, name);
  return { path, name, size: (await stat(path)).size, ...more };
};

const logged: string[] = [];
const unpack = (inputs: readonly JobInput[]) =>
  unpackInputs(
    inputs,
    { sheets: imageEndings, folder: join(folder, 'scratch') },
    testContext({ log: (_level, message) => logged.push(message) }),
  );

/** The names, with the endings of the files beside each. */
const namesOf = (sheets: readonly JobInput[]) =>
  sheets.map(({ name, related = {} }) => [name, ...Object.keys(related).toSorted()].join(' '));

test('sheets in folders and archives are found, each with the files beside it', async () => {
  await put({
    'sheets/north/a.tif': 'a',
    'sheets/north/A.TFW': '1',
    'sheets/south/a.jpg': 'b',
    'sheets/south/a.jpg.aux.xml': 'x',
    'sheets/south/a.jgw': '2',
    'sheets/readme.txt': 'hello',
    'sheets/more.zip': zipOfFiles({ 'c.png': 'c', 'c.pgw': '3', 'notes.pdf': 'pdf' }),
    'sheets/d.tif.gz': gzipSync('d'),
  });
  const sheets = await unpack([await inputOf('sheets', { crs: 'EPSG:25832' })]);
  assert.deepEqual(namesOf(sheets), [
    'sheets/d.tif',
    'sheets/more.zip/c.png pgw',
    'sheets/north/a.tif tfw',
    'sheets/south/a.jpg aux.xml jgw',
  ]);
  assert.ok(sheets.every(({ crs }) => crs === 'EPSG:25832'));
  assert.equal(await readFile(sheets[0]!.path, 'utf8'), 'd');
  assert.deepEqual(logged.splice(0), ['2 other files of sheets are passed over.']);
});

test('files that were chosen one by one are all taken, whatever they are called', async () => {
  await put({ scan: 'a', 'scan.prj': 'b' });
  assert.deepEqual(namesOf(await unpack([await inputOf('scan'), await inputOf('scan.prj')])), ['scan prj']);
});

test('the content of a sheet is that of its file and of those beside it', async () => {
  await put({ 'known/a.tif': 'a', 'known/b.tif': 'b', 'known/b.tfw': 'c' });
  const contents = { 'a.tif': 'hash a', 'b.tif': 'hash b', 'b.tfw': 'hash c' };
  const known = await unpack([await inputOf('known', { content: 'all', contents })]);
  assert.deepEqual(
    known.map(({ content }) => content),
    ['hash a', 'hash b hash c'],
  );
  const unknown = await unpack([await inputOf('known')]);
  assert.deepEqual(
    unknown.map(({ content }) => content),
    [undefined, undefined],
  );
});

test('an archive that is damaged, and a folder without a sheet, are refused by name', async () => {
  const zip = zipOfFiles({ 'a.tif': 'a'.repeat(1000) });
  await put({ 'cut.zip': zip.subarray(0, zip.length - 30), 'texts/readme.txt': 'hello' });
  await assert.rejects(unpack([await inputOf('cut.zip')]), { code: 'brokenZip', message: /^cut\.zip: / });
  await assert.rejects(unpack([await inputOf('texts')]), {
    code: 'emptyInput',
    message: /^texts contains no sheet/,
  });
});
