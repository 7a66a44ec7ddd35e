import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { seeded } from '../wkb/testing.ts';
import type { Bytes } from '../bytes/bytes.ts';
import { openZip } from './open-zip.ts';
import { inMemory, zipOf } from './testing.ts';
import { writeZip, type ZipEntry } from './write-zip.ts';
import type { ZipMember } from './zip-member.ts';

async function written(entries: Iterable<ZipEntry>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writeZip(entries)));
}

async function* chunksOf(content: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length);
}

async function contentsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await openZip(inMemory(bytes));
  const contents: Record<string, string> = {};
  for await (const { name } of zip.list()) {
    const member = await zip.find(name);
    if (!member) continue;
    const content = await zip.open(member);
    contents[name] = Buffer.from(await content.read(0, content.size)).toString('latin1');
  }
  return contents;
}

const text = Buffer.from('lon,lat\n'.repeat(1000));
const noise = Buffer.from(Array.from({ length: 3_000_000 }, seeded(3).bind(undefined, 256)));

/** Streams above 1 MiB, one deflated and one stored, a folder, and short members of all kinds. */
const mixed = (chunkBytes: number): ZipEntry[] => [
  { name: 'folder/', content: Buffer.alloc(0) },
  { name: 'folder/ä.csv', content: text },
  { name: 'folder/stored.csv', content: text, packing: 'stored' },
  { name: 'short', content: chunksOf(text, chunkBytes) },
  { name: 'noise', content: noise.subarray(0, 1000) },
  { name: 'long', content: chunksOf(Buffer.concat([noise, Buffer.alloc(500_000)]), chunkBytes) },
  { name: 'long stored', content: chunksOf(noise, chunkBytes), packing: 'stored' },
];

test('written archives are read back, also from streams', async () => {
  const { long, 'long stored': stored, ...short } = await contentsOf(await written(mixed(70_001)));
  assert.deepEqual(short, {
    'folder/ä.csv': text.toString(),
    'folder/stored.csv': text.toString(),
    short: text.toString(),
    noise: noise.toString('latin1', 0, 1000),
  });
  assert.equal(crc32(Buffer.from(long!, 'latin1')), crc32(Buffer.concat([noise, Buffer.alloc(500_000)])));
  assert.equal(crc32(Buffer.from(stored!, 'latin1')), crc32(noise));
});

test('the same entries give the same bytes, however streams are divided', async () => {
  // these very bytes pass unzip -t of Info-ZIP 6.00 and testzip of Python 3
  const sum = '520ab71e68d04760d477272a00bd5031fcde89fb12c16dd2d9dedbb3259acac2';
  for (const chunkBytes of [1009, 70_001, 5_000_000])
    assert.equal(hash('sha256', await written(mixed(chunkBytes))), sum);
});

test('any content and names are read back, and equal the output of the test writer', async () => {
  const entry = fc.record({
    name: fc.stringMatching(/^[a-zäöß0-9]{1,12}(\/[a-z.]{2,9}x)?$/),
    content: fc.uint8Array({ maxLength: 300 }),
  });
  const archive = fc.uniqueArray(entry, { maxLength: 20, selector: ({ name }) => name.normalize() });
  await fc.assert(
    fc.asyncProperty(archive, async (entries) => {
      const named = entries.map(({ name, content }) => ({ name: name.normalize(), content }));
      const bytes = await written(named.map((each) => ({ ...each, packing: 'stored' as const })));
      const attributes = (0o100644 << 16) >>> 0;
      assert.deepEqual(bytes, zipOf(named.map((each) => ({ ...each, says: { attributes } }))).bytes);
      const contents = named.map(({ name, content }) => [name, Buffer.from(content).toString('latin1')]);
      assert.deepEqual(await contentsOf(await written(named)), Object.fromEntries(contents));
    }),
    { numRuns: 100 },
  );
});

test('70,000 members need ZIP64, and the last one may be an index of the others', async () => {
  const members: ZipMember[] = [];
  function* entries(): Generator<ZipEntry> {
    for (let i = 0; i < 70_000; i++)
      yield { name: `${i}`, content: Buffer.from(`of ${i}`), packing: 'stored' };
    const offsets = members.map(({ headerOffset }) => headerOffset);
    yield { name: 'index', content: Buffer.from(new Float64Array(offsets).buffer) };
  }
  const chunks = await Array.fromAsync(
    writeZip(entries(), { onMember: (member) => void members.push(member) }),
  );
  const zip = await openZip(inMemory(Buffer.concat(chunks)));
  assert.equal(zip.count, 70_001);
  const index = await zip.open((await zip.find('index'))!);
  const offsets = new Float64Array((await index.read(0, index.size)).slice().buffer);
  const member = await zip.find('65999');
  assert.equal(member?.headerOffset, offsets[65_999]);
  assert.deepEqual({ ...members[65_999], dataOffset: member?.dataOffset }, member);
});

test('a member above 4 GiB and what follows it are written with sizes of 64 bits', async () => {
  const zeros = Buffer.alloc(16 << 20);
  async function* large(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 257; i++) yield zeros;
    yield Buffer.from('the end');
  }
  const zip = await openZip(
    await sparse(
      writeZip([
        { name: 'large', content: large(), packing: 'stored' },
        { name: 'behind', content: Buffer.from('x') },
      ]),
    ),
  );
  const content = await zip.open((await zip.find('large'))!);
  assert.equal(content.size, 257 * 2 ** 24 + 7);
  assert.equal(Buffer.from(await content.read(content.size - 9, 99)).toString(), '\0\0the end');
  const behind = await zip.find('behind');
  assert.ok(behind!.headerOffset > 2 ** 32);
  assert.equal(String(Buffer.from(await (await zip.open(behind!)).read(0, 9))), 'x');
});

/** Keeps large chunks by reference: they are all the same one. */
async function sparse(chunks: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const kept: { at: number; chunk: Uint8Array }[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    kept.push({ at: size, chunk });
    size += chunk.length;
  }
  return {
    size,
    async read(offset, length) {
      const target = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      for (const { at, chunk } of kept) {
        const overlap = chunk.subarray(Math.max(0, offset - at), Math.max(0, offset + target.length - at));
        if (overlap.length > 0) target.set(overlap, Math.max(0, at - offset));
      }
      return target;
    },
  };
}

test('names that a reader would refuse or change are not written', async () => {
  for (const name of [
    '',
    '/a',
    '../a',
    'a/../b',
    'a//b',
    './a',
    'a\\b',
    'a\n',
    'u\u0308',
    'x'.repeat(70_000),
  ])
    await assert.rejects(written([{ name, content: text }]), TypeError, JSON.stringify(name.slice(0, 20)));
});

test('a failing stream ends the archive with its error, and an abandoned one is closed', async () => {
  for (const packing of ['stored', 'deflate'] as const) {
    const broken = Readable.from(
      (async function* () {
        yield noise;
        throw new RangeError('broken');
      })(),
    );
    await assert.rejects(written([{ name: 'a', content: broken, packing }]), RangeError);
    assert.equal(broken.destroyed, true);
    const unread = Readable.from([noise, noise, noise]);
    const archive = writeZip([{ name: 'a', content: unread, packing }]);
    await archive.next();
    await archive.next();
    await archive.return(undefined);
    await new Promise(setImmediate);
    assert.equal(unread.destroyed, true);
  }
});
