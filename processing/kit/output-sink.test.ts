import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openFile } from '@platen/formats/bytes/open-file';
import { openZip } from '@platen/formats/zip/open-zip';
import { packMember } from '@platen/formats/zip/pack-member';
import { afterFile } from '../../checks/clean-up.ts';
import { openCheckpoint } from './checkpoint.ts';
import { openOutputSink, type OutputSink, type OutputSinkFormat, type SinkProgress } from './output-sink.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-sink-'));
afterFile(() => rm(root, { recursive: true }));
const formats = ['3tz', 'folder'] as const;
const contentOf = (i: number) => Buffer.from(`content ${i} `.repeat(20));
const nameOf = (i: number) => (i === 0 ? 'tileset.json' : `${i % 5}/Tile-${i}.glb`);

async function foldersFor(name: string) {
  const folders = { outputFolder: join(root, name, 'output'), scratchFolder: join(root, name, 'scratch') };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return folders;
}

function fill(sink: OutputSink, from: number, to: number): void {
  for (let i = from; i < to; i++) sink.add(packMember(nameOf(i), contentOf(i), 'deflate'));
}

async function contentsOf(t: TestContext, path: string): Promise<(name: string) => Promise<string>> {
  if (!path.endsWith('.3tz')) return async (name) => readFileSync(join(path, name), 'utf8');
  const file = await openFile(path);
  t.after(() => file.close());
  const zip = await openZip(file);
  return async (name) => {
    const bytes = await zip.open((await zip.find(name))!);
    return Buffer.from(await bytes.read(0, bytes.size)).toString();
  };
}

for (const format of formats)
  test(`a ${format} is complete when a process finishes what another began, and holds nothing else`, async (t) => {
    const first = await foldersFor(`${format}-first`);
    const begun = openCheckpoint<object, SinkProgress>(join(first.scratchFolder, 'job'), 'a job');
    const options = { format, name: 'tiles' } as const;
    const sink = openOutputSink({ ...options, ...first, scratchFolder: join(first.scratchFolder, 'job') });
    fill(sink, 0, 30);
    begun.append(sink.flush());
    fill(sink, 30, 40);
    sink.flush(); // the process dies before it is recorded
    const second = await foldersFor(`${format}-second`);
    const scratchFolder = join(second.scratchFolder, 'job');
    renameSync(join(first.scratchFolder, 'job'), scratchFolder);
    const resumed = openCheckpoint<object, SinkProgress>(scratchFolder, 'a job');
    const other = openOutputSink({ ...options, ...second, scratchFolder, resume: resumed.units.at(-1) });
    assert.equal(other.count, 30);
    fill(other, 30, 35);
    assert.deepEqual(readdirSync(second.outputFolder), [], 'nothing is seen before it is complete');
    other.finish();
    const path = format === '3tz' ? 'tiles.3tz' : 'tiles';
    assert.deepEqual([other.path, readdirSync(second.outputFolder)], [path, [path]]);
    assert.deepEqual(readdirSync(scratchFolder), ['checkpoint']);
    const read = await contentsOf(t, join(second.outputFolder, path));
    for (let i = 0; i < 35; i++) assert.equal(await read(nameOf(i)), String(contentOf(i)));
    await assert.rejects(read(nameOf(36)));
  });

function clash(sink: OutputSink, names: readonly string[]): void {
  for (const name of ['tileset.json', ...names]) sink.add(packMember(name, contentOf(1), 'stored'));
  sink.finish();
}

for (const format of formats satisfies readonly OutputSinkFormat[])
  test(`names that clash or lead out are not in one ${format}`, async () => {
    const folders = await foldersFor(`${format}-clash`);
    writeFileSync(join(root, 'outside'), 'untouched');
    for (const [names, message] of [
      [['a/b', 'c', 'a/b'], /are called "a\/b"/],
      [['a/b', 'A/b'], /"a\/b" and "A\/b" differ only in upper and lower case/],
      [['../../../outside'], /leads out of its folder/],
      [['/etc/outside'], /absolute/],
    ] as const) {
      const sink = openOutputSink({ format, name: 'tiles', ...folders });
      assert.throws(() => clash(sink, names), { name: 'TypeError', message });
      sink.discard();
      assert.deepEqual([readdirSync(folders.outputFolder), readdirSync(folders.scratchFolder)], [[], []]);
    }
    assert.equal(readFileSync(join(root, 'outside'), 'utf8'), 'untouched');
  });

test('names that an archive can have, but no folder, are refused with the reason', async () => {
  const folders = await foldersFor('impossible');
  for (const [names, message] of [
    [['a', 'a/b'], /"a\/b" cannot be a file of the folder: a part of its path is a file/],
    [['a/b/c', 'a/b'], /"a\/b" cannot be a file of the folder: a folder has this name/],
    [['x'.repeat(300)], /too long for a file system/],
  ] as const) {
    const sink = openOutputSink({ format: 'folder', name: 'tiles', ...folders });
    assert.throws(() => clash(sink, names), { name: 'TypeError', message });
    sink.discard();
    assert.deepEqual(readdirSync(folders.scratchFolder), []);
  }
});
