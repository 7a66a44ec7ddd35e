import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { file } from './testing.ts';
import { setUp } from './testing-bundle.ts';

test('a first run uploads all files, the next one none, and later ones only changed files', async (t) => {
  const { service, all, publish, assertAllThere } = await setUp(t);
  const first = await publish();
  assert.deepEqual((first['uploadedFiles'] as string[]).toSorted(), [...service.files.keys()].toSorted());
  assert.deepEqual(first, {
    files: 5,
    uploaded: 5,
    unchanged: 0,
    removed: 0,
    uploadedFiles: first['uploadedFiles'],
    removedFiles: [],
    bytes: [...service.files.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    address: 'the folder “site”',
    folder: 'site',
  });
  await assertAllThere();
  assert.deepEqual(await all(), [...service.files.keys()].toSorted());
  assert.deepEqual([...service.heard.phases.keys()], ['compare', 'upload']);

  const again = await publish();
  assert.deepEqual([again['uploaded'], again['unchanged'], again['bytes']], [0, 5, 0]);
  assert.deepEqual(service.heard.read, []);

  service.files.set('data/a.geojson', file('another'));
  const third = await publish();
  assert.deepEqual([third['uploaded'], third['unchanged']], [1, 4]);
  assert.deepEqual([third['uploadedFiles'], third['removedFiles']], [['data/a.geojson'], []]);
  assert.deepEqual(service.heard.read, ['data/a.geojson']);
  await assertAllThere();
});

test('the journal lists every file before the first one is changed', async (t) => {
  const { service, look, publish } = await setUp(t);
  let noted: string | undefined;
  service.beforeFile = async () => {
    noted ??= String(await look('.platen/journal.json'));
  };
  await publish();
  for (const path of service.files.keys()) assert.ok(noted?.includes(JSON.stringify([path])), path);
  assert.equal(await look('.platen/journal.json'), undefined);
});

test('many files in many folders, listed in pages, are all uploaded', async (t) => {
  const { service, all, publish, assertAllThere } = await setUp(t);
  for (let n = 0; n < 350; n++) service.files.set(`tiles/${n % 9}/${n}.pbf`, file(`tile ${n}`));
  service.numThreads = 16;
  await publish();
  await assertAllThere();
  assert.equal((await all()).length, 355);
  assert.equal((await publish())['uploaded'], 0);
});

test('files keep their former content until all are uploaded, and entry files are switched last', async (t) => {
  const { service, look, publish, assertAllThere } = await setUp(t);
  await publish();
  const former = new Map(service.files);
  const next = (path: string) => ({
    ...service.files.get(path)!,
    bytes: Buffer.from(`2 ${path}`),
    version: 'version-2',
  });
  service.files = new Map([...service.files.keys()].map((path) => [path, next(path)]));
  service.files.set('data/new.geojson', file('new'));
  const seen: string[] = [];
  service.beforeFile = async (path) => {
    for (const [other, { bytes }] of former) assert.deepEqual(await look(other), bytes, `${other}, ${path}`);
    if (former.has(path)) assert.equal(String(await look('data/new.geojson')), 'new');
    seen.push(path);
  };
  await publish();
  assert.deepEqual(seen.toSorted(), [...service.files.keys()].toSorted());
  await assertAllThere();
});

test('files that left the bundle stay for one more run, and foreign files for ever', async (t) => {
  const { service, all, place, publish } = await setUp(t);
  await place('data/foreign.txt', Buffer.from('not ours'));
  await publish();
  service.files.delete('data/b.pmtiles');
  assert.equal((await publish())['removed'], 0);
  assert.ok((await all()).includes('data/b.pmtiles'), 'maps that are open may still ask for it');
  assert.equal((await publish())['removed'], 1);
  assert.deepEqual(await all(), [
    'app.json',
    'data/a.geojson',
    'data/foreign.txt',
    'engine/main.js',
    'index.html',
  ]);
});

test('a file that returns to the bundle before its removal is not uploaded again', async (t) => {
  const { service, publish, assertAllThere } = await setUp(t);
  await publish();
  const kept = service.files.get('data/b.pmtiles')!;
  service.files.delete('data/b.pmtiles');
  await publish();
  service.files.set('data/b.pmtiles', kept);
  assert.equal((await publish())['uploaded'], 0);
  await publish();
  await assertAllThere();
});

test('files that others removed or resized are detected and uploaded again', async (t) => {
  const { service, site, publish, assertAllThere } = await setUp(t);
  await publish();
  await rm(join(site, 'engine'), { recursive: true });
  await writeFile(join(site, 'data/a.geojson'), 'short');
  assert.equal((await publish())['uploaded'], 2);
  await assertAllThere();
  assert.match(service.heard.log.join('\n'), /2 files .* were changed or removed by others/);
});

test('with a missing or damaged manifest all files are uploaded again and foreign files stay', async (t) => {
  const { site, publishFolder, place, look, publish, assertAllThere } = await setUp(t);
  await place('foreign.txt', Buffer.from('not ours'));
  await writeFile(join(publishFolder, 'outside.txt'), 'not ours');
  const manifest = join(site, '.platen/manifest.json');
  await publish();
  const good = await readFile(manifest, 'utf8');
  const evil = JSON.stringify({ platen: 1, files: [], former: [['../outside.txt', 'v', 8]] });
  for (const content of [
    undefined,
    '',
    '{',
    '[]',
    good.slice(0, -20),
    evil,
    evil.replace('../outside', '/etc/x'),
  ]) {
    if (content === undefined) await rm(manifest);
    else await writeFile(manifest, content);
    assert.equal((await publish())['uploaded'], 5, String(content));
    await assertAllThere();
  }
  assert.equal(String(await look('foreign.txt')), 'not ours');
  assert.equal(await readFile(join(publishFolder, 'outside.txt'), 'utf8'), 'not ours');
});

test('text files get a gzip copy, which is removed once gzip is switched off', async (t) => {
  const { service, all, publish } = await setUp(t);
  service.gzip = true;
  await publish();
  assert.deepEqual(
    (await all()).filter((path) => path.endsWith('.gz')),
    ['data/a.geojson.gz', 'engine/main.js.gz'], // what is small gains nothing; archives are read by ranges
  );
  assert.equal((await publish())['uploaded'], 0);
  service.gzip = false;
  await publish();
  assert.deepEqual(
    (await all()).filter((path) => path.endsWith('.gz')),
    [],
  );
});

test('downloads that break off are resumed and complete', async (t) => {
  const { service, publish, assertAllThere } = await setUp(t);
  service.breaks = 2;
  await publish();
  await assertAllThere();
});
