import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { afterFile } from '../../checks/clean-up.ts';
import { openFile } from '../bytes/open-file.ts';
import { openZip } from './open-zip.ts';
import { packMember } from './pack-member.ts';
import { open3tzWriter, type Writer3tz } from './write-3tz.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-3tz-'));
afterFile(() => rm(root, { recursive: true }));
let folders = 0;

async function newFolder() {
  const folder = join(root, String(folders++));
  await mkdir(folder);
  return folder;
}

const contentOf = (i: number) => Buffer.from(`${i} `.repeat(i % 90));
const nameOf = (i: number) =>
  i === 0 ? 'tileset.json' : `${i % 7}/${i % 3 === 0 ? 'Ärger' : 'tile'}-${i}.glb`;
const add = (writer: Writer3tz, i: number) =>
  writer.add(packMember(nameOf(i), contentOf(i), i % 2 === 0 ? 'stored' : 'deflate'));

async function archiveOf(count: number) {
  const folder = await newFolder();
  const writer = open3tzWriter({ scratchFolder: folder, name: 'tiles' });
  for (let i = 0; i < count; i++) add(writer, i);
  writer.finish(join(folder, 'tiles.3tz'));
  assert.deepEqual(readdirSync(folder), ['tiles.3tz'], 'nothing else is left behind');
  return join(folder, 'tiles.3tz');
}

for (const count of [1, 2, 3000])
  test(`an archive of ${count} members opens by its index alone, and all its members are whole`, async (t) => {
    const file = await openFile(await archiveOf(count));
    t.after(() => file.close());
    const zip = await openZip(file, { scan: () => assert.fail('the directory was scanned') });
    assert.equal(zip.count, count + 1);
    for (let i = 0; i < count; i++) {
      const member = (await zip.find(nameOf(i)))!;
      const packed = Buffer.from(await file.read(member.dataOffset, member.packedSize));
      const content = member.packing === 'deflate' ? inflateRawSync(packed) : packed;
      assert.ok(content.equals(contentOf(i)), nameOf(i));
    }
    assert.equal(await zip.find('1/tile-99999.glb'), undefined);
  });

test('readers that know no index find the same members, and the index last', async (t) => {
  const file = await openFile(await archiveOf(500));
  t.after(() => file.close());
  const names: string[] = [];
  const zip = await openZip(file);
  for await (const member of zip.list()) {
    names.push(member.name);
    const bytes = await zip.open(member);
    assert.equal((await bytes.read(0, member.size)).length, member.size); // checked by its checksum
  }
  assert.deepEqual(names, [...Array.from({ length: 500 }, (_, i) => nameOf(i)), '@3dtilesIndex1@']);
});

test('another process resumes after the last member recorded, in another folder, and writes the same archive', async () => {
  const expected = readFileSync(await archiveOf(900));
  const folder = await newFolder();
  const first = open3tzWriter({ scratchFolder: folder, name: 'tiles' });
  for (let i = 0; i < 400; i++) add(first, i);
  const written = first.flush();
  for (let i = 400; i < 450; i++) add(first, i);
  first.flush(); // not recorded
  for (const kind of ['3tz.unfinished', 'directory', 'rows'])
    appendFileSync(join(folder, `tiles.${kind}`), 'half a member');
  const moved = join(root, 'moved');
  renameSync(folder, moved);
  const resume = structuredClone(written);
  const second = open3tzWriter({ scratchFolder: moved, name: 'tiles', resume });
  assert.equal(second.count, 400);
  for (let i = 400; i < 900; i++) add(second, i);
  second.finish(join(moved, 'tiles.3tz'));
  assert.ok(readFileSync(join(moved, 'tiles.3tz')).equals(expected));
});

for (const [names, message] of [
  [['a/b.glb', 'c', 'a/b.glb'], /^Two members of the archive are called "a\/b.glb"\.$/],
  [['a/b.glb', 'A/b.glb'], /^The names "a\/b.glb" and "A\/b.glb" differ only in upper and lower case/],
  [['Ä', 'ä'], /^The names "Ä" and "ä" differ/],
  [['A', 'B', 'aB', 'Ab'], /^The names "aB" and "Ab" differ/],
] as const)
  test(`members called ${names.join(', ')} are not in one archive`, async () => {
    const folder = await newFolder();
    const writer = open3tzWriter({ scratchFolder: folder, name: 'tiles' });
    for (const name of ['tileset.json', ...names]) writer.add(packMember(name, contentOf(1), 'stored'));
    assert.throws(() => writer.finish(join(folder, 'tiles.3tz')), { name: 'TypeError', message });
    writer.discard();
    assert.deepEqual(readdirSync(folder), []);
  });

test('names that readers refuse or the format forbids are errors that say why', async () => {
  const folder = await newFolder();
  const writer = open3tzWriter({ scratchFolder: folder, name: 'tiles' });
  for (const [name, message] of [
    ['../a', /"\.\.\/a" cannot be the name of a member: it leads out of its folder\./],
    ['a/../../b', /leads out of its folder/],
    ['/a', /it is absolute/],
    ['c:/a', /it is absolute/],
    ['A\u0308', /it is not in Unicode NFC/],
    ['a\\b', /backslash/],
    ['a//b', /a segment that is empty or a dot/],
    ['', /it is empty/],
    ['a/', /cannot be the name/],
    ['inner.3TZ', /cannot be the name of a member of a 3TZ/],
    ['@3dtilesIndex1@', /cannot be the name/],
  ] as const)
    assert.throws(() => writer.add(packMember(name, contentOf(1), 'stored')), { name: 'TypeError', message });
  assert.equal(writer.count, 0);
  writer.add(packMember('a.glb', contentOf(1), 'stored'));
  assert.throws(() => writer.finish(join(folder, 'tiles.3tz')), /no tileset\.json/);
  assert.equal(existsSync(join(folder, 'tiles.3tz')), false);
  writer.discard();
});
