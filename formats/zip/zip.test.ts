import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BytesError } from '../bytes/bytes.ts';
import { openFile } from '../bytes/open-file.ts';
import { mutate } from '../wkb/testing.ts';
import { openZip, type ZipIndex, type ZipOptions } from './open-zip.ts';
import { infoZip, pythonZip, yazlZip, yazlZip64 } from './testing-archives.ts';
import { indexedZipOf, inMemory, zipOf, type TestMember } from './testing.ts';
import { ZipError } from './zip-error.ts';

const few: TestMember[] = [
  { name: 'tileset.json', content: '{"asset":{}}' },
  { name: 'tiles/0/0.glb', content: 'glTF'.repeat(500), method: 8 },
  { name: 'tiles/ä.json', content: '{}', method: 93 },
];

const opened = (bytes: Uint8Array, options?: ZipOptions) => openZip(inMemory(bytes), options);

async function contentOf(zip: ZipIndex, name: string): Promise<string | undefined> {
  const member = await zip.find(name);
  if (!member) return undefined;
  const bytes = await zip.open(member);
  return Buffer.from(await bytes.read(0, bytes.size)).toString();
}

async function namesOf(zip: ZipIndex): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of zip.list()) names.push(name);
  return names;
}

const refused = (bytes: Uint8Array, message: RegExp, options?: ZipOptions) =>
  assert.rejects(opened(bytes, options), (error) => {
    assert.ok(error instanceof ZipError && error instanceof BytesError, String(error));
    assert.match(error.message, message);
    return true;
  });

for (const isLarge of [false, true]) {
  test(`members are found, listed and opened${isLarge ? ', with places of 64 bits' : ''}`, async () => {
    const zip = await opened(zipOf(few, { isLarge }).bytes);
    assert.equal(zip.count, 3);
    assert.equal(zip.topFolder, '');
    assert.deepEqual(await namesOf(zip), ['tileset.json', 'tiles/0/0.glb', 'tiles/ä.json']);
    const all = await Array.fromAsync(zip.listFrom(0));
    for (const [i, { next }] of all.entries())
      assert.deepEqual(await Array.fromAsync(zip.listFrom(next)), all.slice(i + 1));
    for (const { name, content } of few) assert.equal(await contentOf(zip, String(name)), content);
    for (const name of ['', 'tiles/', 'tiles', 'Tileset.json', '/tileset.json', 'x'])
      assert.equal(await zip.find(name), undefined, name);
  });
}

test('archives of other programs are read, also with sizes behind the bytes and a comment at the end', async () => {
  const yazl = await opened(yazlZip);
  assert.equal(yazl.topFolder, 'folder/');
  assert.equal(await contentOf(yazl, 'folder/packed.txt'), 'a'.repeat(5000));
  assert.equal(await contentOf(yazl, 'folder/stored.txt'), 'plain');
  assert.equal(await contentOf(yazl, 'folder/streamed.txt'), 'streamed');
  const large = await opened(yazlZip64);
  assert.equal(await contentOf(large, 'b/ä.csv'), 'b'.repeat(1000));
  assert.equal(await contentOf(large, 'a.csv'), 'a');
  const python = await opened(pythonZip);
  assert.equal(await contentOf(python, 'm/ü.csv'), 'lon,lat\n'.repeat(100));
  assert.equal(await contentOf(python, 'm/s.txt'), 'stored and streamed');
  const piped = await opened(infoZip);
  assert.equal(piped.topFolder, 'd/');
  assert.equal(await contentOf(piped, 'd/a.csv'), 'lon,lat\n1,2\n');
  assert.equal(await contentOf(piped, 'd/b.txt'), 'x'.repeat(300));
});

test('files that systems add to folders do not hide a common folder', async () => {
  const members = ['town/a.json', 'town/b/c.json', '__MACOSX/town/._a.json', 'town/'];
  const zip = await opened(zipOf(members.map((name) => ({ name, content: '' }))).bytes);
  assert.equal(zip.topFolder, 'town/');
  const two = await opened(zipOf(['town/a', 'village/a'].map((name) => ({ name, content: '' }))).bytes);
  assert.equal(two.topFolder, '');
  const tiles = await opened(zipOf([{ name: '5/1/2.pbf', content: '' }]).bytes);
  assert.equal(tiles.topFolder, '', 'a zoom is no folder around everything');
});

for (const [kind, entry] of [
  ['3tz', 'Tiles/0.glb'],
  ['slpk', 'Nodes/0.bin.gz'],
] as const) {
  test(`the index of a ${kind} leads to members in a few small reads`, async () => {
    const members = Array.from({ length: 40_000 }, (_, i) => ({ name: `${i}/${entry}`, content: `of ${i}` }));
    const bytes = inMemory(indexedZipOf(members, { kind, isLarge: true }));
    const zip = await openZip(bytes);
    const { reads, bytes: count } = bytes.look();
    assert.ok(reads <= 5 && count < 300_000, `${reads} reads of ${count} bytes`);
    assert.equal(zip.count, 40_001);
    for (const i of [0, 1, 7777, 23_456, 39_999]) {
      assert.equal(await contentOf(zip, `${i}/${entry}`), `of ${i}`);
      assert.ok(bytes.look().reads <= 8);
    }
    assert.equal(await zip.find(`40000/${entry}`), undefined);
    assert.equal(await zip.find(`0/${entry.toUpperCase()}`), undefined);
  });
}

test('an index with wrong offsets is ignored: the directory counts', async () => {
  const swapped = indexedZipOf(few, {
    lie: (name, offset) => ({ name, offset: offset === 0 ? 999_999 : 0 }),
  });
  const zip = await opened(swapped);
  for (const { name, content } of few) assert.equal(await contentOf(zip, String(name)), content);
});

test('an unsorted or incomplete index is not used', async () => {
  const entries = Buffer.alloc(72, 0xff);
  entries.fill(0, 48);
  const unsorted = zipOf([...few, { name: '@3dtilesIndex1@', content: entries }]).bytes;
  const short = zipOf([...few, { name: '@3dtilesIndex1@', content: entries.subarray(0, 24) }]).bytes;
  for (const bytes of [unsorted, short])
    assert.equal(await contentOf(await opened(bytes), 'tileset.json'), '{"asset":{}}');
});

test('an SLPK that another program wrote is opened by its index', async (t) => {
  const path = fileURLToPath(new URL('../../../shared/data/i3s/DA12_subset.slpk', import.meta.url));
  if (!existsSync(path)) return t.skip('needs the SLPK of ../shared/data');
  const file = await openFile(path);
  try {
    const zip = await openZip(file);
    const names = await namesOf(zip);
    assert.equal(zip.count, names.length);
    for (const name of names) if (!name.startsWith('@')) assert.equal((await zip.find(name))?.name, name);
  } finally {
    await file.close();
  }
});

test('names that lead out of their folder, and members other than files, are refused', async () => {
  for (const name of ['../evil', 'a/../../evil', '/etc/passwd', 'C:/evil', 'a\\b', 'a\u0001'])
    await refused(zipOf([{ name, content: '' }]).bytes, /the name .+ (?:leads out|is absolute|contains)/);
  const link = { name: 'link', content: '/etc/passwd', says: { attributes: (0o120777 << 16) >>> 0 } };
  await refused(zipOf([link]).bytes, /"link" is a link/);
});

test('encrypted members and unusual packing are refused by name', async () => {
  await refused(zipOf([{ name: 'secret', content: 'x', says: { flags: 1 } }]).bytes, /"secret" is encrypted/);
  await refused(zipOf([{ name: 'old', content: 'x', method: 9 }]).bytes, /"old" is compressed with method 9/);
});

test('two members of one name, and members that share bytes, are refused', async () => {
  const twice = { name: 'a', content: 'x' };
  await refused(zipOf([twice, { name: 'b', content: '' }, twice]).bytes, /two of its members are called "a"/);
  const decomposed = { name: 'u\u0308', content: '' };
  await refused(zipOf([{ name: 'ü', content: '' }, decomposed]).bytes, /two of its members/);
  const over = { name: 'b', content: 'x', says: { headerOffset: 0 } };
  await refused(zipOf([twice, over]).bytes, /overlap/);
});

test('false sizes are detected, and zip bombs are refused', async () => {
  const bomb = { name: 'bomb', content: Buffer.alloc(120e6), method: 8 };
  await refused(zipOf([bomb]).bytes, /200 times its size/);
  await refused(
    zipOf([{ name: 'x', content: 'xyz', method: 8, says: { size: 2 ** 31 } }]).bytes,
    /impossible size/,
  );
  await refused(zipOf([{ name: 'x', content: 'xyz', says: { size: 2 } }]).bytes, /impossible size/);
  const lying = await opened(
    zipOf([{ name: 'x', content: 'x'.repeat(9999), method: 8, says: { size: 5 } }]).bytes,
  );
  await assert.rejects(contentOf(lying, 'x'), /"x" is damaged/);
  const large = await opened(zipOf([{ name: 'x', content: 'x'.repeat(9999), method: 8 }]).bytes, {
    maxInMemoryBytes: 100,
  });
  await assert.rejects(contentOf(large, 'x'), /too large/);
  await refused(zipOf(few).bytes, /more than 2 members/, { maxMembers: 2 });
});

test('a local header that contradicts the directory is refused', async () => {
  const zip = await opened(zipOf([{ name: 'a', content: 'x', says: { localName: 'b' } }]).bytes);
  await assert.rejects(zip.find('a'), /contradict/);
});

test('an archive truncated or changed anywhere is read or refused, and reading never hangs', async () => {
  const whole = indexedZipOf([...few, { name: 'more/members', content: 'of it', method: 8 }]);
  const plain = zipOf(few, { isLarge: true }).bytes;
  const tryAll = async (bytes: Uint8Array) => {
    try {
      const zip = await opened(bytes);
      for (const name of ['tileset.json', 'tiles/0/0.glb', 'more/members', 'none'])
        await contentOf(zip, name);
      await namesOf(zip);
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
    }
  };
  for (let length = 0; length < whole.length; length += 3) await refused(whole.subarray(0, length), /./);
  for (let seed = 0; seed < 600; seed++) await tryAll(mutate(seed % 2 === 0 ? whole : plain, seed));
});
