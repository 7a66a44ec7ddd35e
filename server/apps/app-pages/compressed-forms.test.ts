import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildForms } from './built-forms.ts';
import { keepCompressed } from './compressed-forms.ts';
import type { WebFile } from './web-file.ts';
import { afterFile } from '../../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-forms-'));
afterFile(() => rm(root, { recursive: true, force: true }));
const warnings: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line) };

/** Text in which there is much to find, and how often it was read. */
function textFile(): WebFile & { reads: number } {
  const words = Array.from({ length: 400 }, () => randomBytes(3).toString('hex'));
  const text = Array.from(randomBytes(60_000), (byte, at) => words[byte + (at % 140)]).join(' ');
  const content = Buffer.from(text);
  const id = createHash('sha256').update(content).digest('hex');
  return {
    id,
    type: 'text/javascript',
    bytes: content.length,
    etag: 'W/"1"',
    reads: 0,
    async read() {
      this.reads++;
      return content;
    },
  };
}

const folderOf = (name: string) => join(root, name);
const isBusy = () => false;

test('the first visitor gets a fast compression, later ones the best, which is on disk', async () => {
  const folder = folderOf('best');
  const forms = keepCompressed({ folder, log, quietMs: 0, isBusy });
  const file = textFile();
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const quick = await forms.of(file, encoding);
    assert.equal((await forms.of(file, undefined)).length, file.bytes);
    await forms.settled();
    const best = await forms.of(file, encoding);
    if (encoding === 'br') assert.ok(best.length < quick.length, `${best.length} of ${quick.length} bytes`);
    assert.notEqual(best, quick);
    assert.deepEqual(await readFile(join(folder, `${file.id}.${encoding}`)), best);
    for (const form of [quick, best]) assert.ok(decompress(form).equals(await file.read()));
  }
  forms.stop();
  assert.deepEqual(warnings, []);
  assert.equal((await readdir(folder)).length, 2, 'no draft is left');
});

test('after a restart the best compression is read from disk', async () => {
  const folder = folderOf('restart');
  const file = textFile();
  const first = keepCompressed({ folder, log, quietMs: 0, isBusy });
  await first.of(file, 'br');
  await first.settled();
  const best = await first.of(file, 'br');
  first.stop();
  file.reads = 0;
  const second = keepCompressed({ folder, log, quietMs: 0, isBusy });
  assert.deepEqual(await second.of(file, 'br'), best);
  assert.equal(file.reads, 0);
  second.stop();
});

test('a damaged file on disk is not sent, and made again', async () => {
  const folder = folderOf('torn');
  const file = textFile();
  const path = join(folder, `${file.id}.br`);
  const first = keepCompressed({ folder, log, quietMs: 0, isBusy });
  await first.of(file, 'br');
  await first.settled();
  first.stop();
  const whole = await readFile(path);
  await truncate(path, whole.length - 100);
  const second = keepCompressed({ folder, log, quietMs: 0, isBusy });
  assert.ok(brotliDecompressSync(await second.of(file, 'br')).equals(await file.read()));
  await second.settled();
  second.stop();
  assert.deepEqual(await readFile(path), whole);
});

test('a file requested by many at the same time is read and compressed once', async () => {
  const forms = keepCompressed({ folder: undefined, log });
  const file = textFile();
  const all = await Promise.all(Array.from({ length: 20 }, () => forms.of(file, 'br')));
  assert.ok(all.every((form) => form === all[0]));
  assert.equal(file.reads, 1);
  forms.stop();
});

test('while the machine is busy the best forms wait', async () => {
  let looks = 0;
  const forms = keepCompressed({ folder: folderOf('busy'), log, quietMs: 0, isBusy: () => ++looks < 5 });
  const file = textFile();
  const quick = await forms.of(file, 'br');
  await forms.settled();
  assert.equal(looks, 5);
  assert.notEqual(await forms.of(file, 'br'), quick);
  forms.stop();
});

test('a stop ends running compressions', async () => {
  const folder = folderOf('stopped');
  const forms = keepCompressed({ folder, log, quietMs: 0, isBusy });
  await forms.of(textFile(), 'br');
  forms.stop();
  await forms.settled();
  assert.deepEqual(await readdir(folder).catch(() => []), []);
});

test('a build makes the best forms in advance, and removes those of files that are no longer there', async () => {
  const built = folderOf('built');
  const [file, former] = [textFile(), textFile()];
  await buildForms([former], built);
  await buildForms([file], built);
  assert.deepEqual((await readdir(built)).toSorted(), [`${file.id}.br`, `${file.id}.gzip`]);
  file.reads = 0;
  await buildForms([file], built);
  const forms = keepCompressed({ folder: undefined, built, log });
  assert.ok(brotliDecompressSync(await forms.of(file, 'br')).equals(await file.read()));
  assert.ok(gunzipSync(await forms.of(file, 'gzip')).equals(await file.read()));
  assert.equal(file.reads, 2, 'only by this test');
  forms.stop();
  assert.deepEqual(warnings, []);
});
