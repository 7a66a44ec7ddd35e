import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { mutate } from '../wkb/testing.ts';
import { readTarStream } from './read-tar-stream.ts';
import { readTar } from './read-tar.ts';
import { TarError } from './tar-header.ts';
import { encodeTarHeader, writeTar, type TarPart } from './write-tar.ts';

const updatedAt = new Date('2026-11-22T00:00:00Z');

async function written(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const parts = Object.entries(files).map(([path, content], i): TarPart => {
    const bytes = Buffer.from(content);
    return { path, size: bytes.length, updatedAt, bytes: i % 2 === 0 ? bytes : [bytes] };
  });
  return Buffer.concat(await Array.fromAsync(writeTar(Readable.from(parts))));
}

const filesIn = (tar: Buffer) =>
  Object.fromEntries([...readTar(tar)].map(({ name, content }) => [name, content.toString()]));

const files = {
  'a.txt': 'a',
  empty: '',
  'folder/block.txt': 'x'.repeat(512),
  [`${'n'.repeat(150)}/ü.txt`]: 'a long name',
};

test('written archives are read back, with names of any length', async () => {
  const tar = await written(files);
  assert.equal(tar.length % 512, 0);
  assert.deepEqual(filesIn(tar), files);
});

async function* inChunks(tar: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < tar.length; at += bytes) yield tar.subarray(at, at + bytes);
}

test('an archive is read as it arrives, in chunks of any length', async () => {
  const tar = await written(files);
  for (const bytes of [1, 7, 512, 1000, tar.length]) {
    const entries = await Array.fromAsync(readTarStream(inChunks(tar, bytes), 512));
    assert.deepEqual(
      Object.fromEntries(entries.map(({ name, content }) => [name, content.toString()])),
      files,
      `${bytes}`,
    );
  }
});

test('a stream that is cut off anywhere, or has no end, gives its whole entries and then an error', async () => {
  const tar = await written(files);
  const whole = tar.length - 1024;
  for (let length = 0; length <= whole; length += 37) {
    const names: string[] = [];
    await assert.rejects(async () => {
      for await (const { name } of readTarStream(inChunks(tar.subarray(0, length), 100), 512))
        names.push(name);
    }, TarError);
    assert.deepEqual(names, Object.keys(files).slice(0, names.length));
  }
});

test('tiny chunks are copied as they arrive, so that they do not stay in memory', async () => {
  const tar = await written(files);
  const chunk = Buffer.alloc(1);
  const chunks = async function* () {
    for (const byte of tar) {
      chunk[0] = byte;
      yield chunk;
    }
  };
  const entries = await Array.fromAsync(readTarStream(chunks(), 512));
  assert.deepEqual(Object.fromEntries(entries.map(({ name, content }) => [name, content.toString()])), files);
});

test('a stream with an entry above the limit is refused before its content is read, and is closed', async () => {
  const tar = await written({ a: 'x'.repeat(513) });
  let isClosed = false;
  const chunks = async function* () {
    try {
      yield tar.subarray(0, 512);
      assert.fail('the content is read');
    } finally {
      isClosed = true;
    }
  };
  await assert.rejects(Array.fromAsync(readTarStream(chunks(), 512)), /“a” is larger than 512 bytes/);
  assert.equal(isClosed, true);
});

test('names and sizes are read as GNU tar and old archives write them', () => {
  const file = (type: string, name: string, content: string) => {
    const bytes = Buffer.from(content);
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
    return Buffer.concat([
      encodeTarHeader({ path: name, size: bytes.length, updatedAt }, type),
      bytes,
      padding,
    ]);
  };
  const long = `${'d'.repeat(120)}/file`;
  const tar = Buffer.concat([
    file('L', '././@LongLink', `${long}\0`),
    file('0', 'cut off', 'content'),
    file('g', 'pax_global_header', '17 comment=abcdef\n'.replace('17', '18')),
    file('\0', 'folder/', ''),
    file('5', 'other', ''),
    file('2', 'link', ''),
    file('3', 'device', ''),
    Buffer.alloc(1024),
  ]);
  assert.deepEqual(
    [...readTar(tar)].map(({ name, type }) => [name, type]),
    [
      [long, 'file'],
      ['folder/', 'folder'],
      ['other', 'folder'],
      ['link', 'symbolic link'],
      ['device', 'special file'],
    ],
  );
});

test('archives that are cut off or changed anywhere are read or refused, and never hang', async () => {
  const whole = await written(files);
  const last = whole.length - 1024;
  for (let length = 0; length < last; length += 7) {
    if (length % 512 === 0) continue;
    assert.throws(() => filesIn(whole.subarray(0, length)), TarError, String(length));
  }
  let refused = 0;
  for (let seed = 0; seed < 500; seed++) {
    try {
      filesIn(Buffer.from(mutate(new Uint8Array(whole), seed)));
    } catch (error) {
      assert.ok(error instanceof TarError, String((error as Error).stack));
      refused++;
    }
  }
  assert.ok(refused > 100, `${refused}`);
});

test('a part shorter or longer than declared ends the archive with an error', async () => {
  for (const bytes of [Buffer.from('abc'), [Buffer.from('abc')]]) {
    const parts = Readable.from([{ path: 'a', size: 4, updatedAt, bytes }]);
    await assert.rejects(Array.fromAsync(writeTar(parts)), /“a” changed while it was being packed/);
  }
});

test('an unread stream is destroyed', async () => {
  const bytes = Readable.from([Buffer.from('abc')]);
  const tar = writeTar(Readable.from([{ path: 'a', size: 3, updatedAt, bytes }]));
  await tar.next();
  await tar.return(undefined);
  assert.equal(bytes.destroyed, true);
});
