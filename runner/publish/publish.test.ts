import assert from 'node:assert/strict';
import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { newFolder, onDisk } from '../destinations/testing.ts';
import { file, run, smallBundle } from './testing.ts';
import { startTestService, type TestFile } from './testing-service.ts';

const own = (path: string) => path.startsWith('.platen/');

async function setUp(t: TestContext) {
  const publishFolder = await newFolder((cleanUp) => t.after(cleanUp));
  const service = await startTestService({ type: 'fs', folder: 'site' });
  t.after(() => service.stop());
  service.files = smallBundle();
  const site = join(publishFolder, 'site');
  const { everything, look, place } = onDisk(site);
  const all = async () => (await everything()).filter((path) => !own(path));
  const publish = async () => {
    const lines = await run(service, { publishFolder });
    assert.equal(service.heard.end?.how, 'complete', JSON.stringify([service.heard.end, lines]));
    return service.heard.end.body['report'] as Record<string, unknown>;
  };
  const assertAllThere = async () => {
    for (const [path, { bytes }] of service.files) assert.deepEqual(await look(path), bytes, path);
  };
  return { service, publishFolder, site, all, look, place, publish, assertAllThere };
}

test('a first run sends all, the next one nothing, and then only what has changed', async (t) => {
  const { service, all, publish, assertAllThere } = await setUp(t);
  assert.deepEqual(await publish(), {
    files: 5,
    uploaded: 5,
    unchanged: 0,
    removed: 0,
    bytes: [...service.files.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    address: 'the folder “site”',
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
  assert.deepEqual(service.heard.read, ['data/a.geojson']);
  await assertAllThere();
});

test('before anything is touched, all that will be is noted', async (t) => {
  const { service, look, publish } = await setUp(t);
  let noted: string | undefined;
  service.beforeFile = async () => {
    noted ??= String(await look('.platen/journal.json'));
  };
  await publish();
  for (const path of service.files.keys()) assert.ok(noted?.includes(JSON.stringify([path])), path);
  assert.equal(await look('.platen/journal.json'), undefined);
});

test('many files in many folders, told in pages, all come', async (t) => {
  const { service, all, publish, assertAllThere } = await setUp(t);
  for (let n = 0; n < 350; n++) service.files.set(`tiles/${n % 9}/${n}.pbf`, file(`tile ${n}`));
  service.numThreads = 16;
  await publish();
  await assertAllThere();
  assert.equal((await all()).length, 355);
  assert.equal((await publish())['uploaded'], 0);
});

test('what keeps its name keeps its former content until all is there, and what opens a bundle comes last', async (t) => {
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

test('a run that fails over one file has changed none of those that were there, and the next brings all', async (t) => {
  const { service, publishFolder, all, look, publish, assertAllThere } = await setUp(t);
  for (let n = 0; n < 50; n++) service.files.set(`tiles/${n}.pbf`, file(`tile ${n}`));
  await publish();
  const former = service.files;
  const next = [...former].map(([path, each]): [string, TestFile] => [
    path,
    { ...each, bytes: Buffer.from(`2 ${path}`), version: 'version-2' },
  ]);
  service.files = new Map(next);
  service.beforeFile = (path) => {
    if (path === 'tiles/40.pbf') service.files.set(path, { ...file('short'), version: 'version-2' });
  };
  await run(service, { publishFolder });
  assert.equal(service.heard.end?.body['code'], 'cannotTransfer');
  for (const [path, { bytes }] of former) assert.deepEqual(await look(path), bytes, path);
  assert.deepEqual(await all(), [...former.keys()].toSorted());
  service.files = new Map(next);
  service.beforeFile = () => {};
  await publish();
  await assertAllThere();
});

test('what leaves a bundle stays for one more run, and files of others for ever', async (t) => {
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

test('what comes back before it is removed need not be sent again', async (t) => {
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

test('what others have removed or changed is noticed by its size, and sent again', async (t) => {
  const { service, site, publish, assertAllThere } = await setUp(t);
  await publish();
  await rm(join(site, 'engine'), { recursive: true });
  await writeFile(join(site, 'data/a.geojson'), 'short');
  assert.equal((await publish())['uploaded'], 2);
  await assertAllThere();
  assert.match(service.heard.log.join('\n'), /2 files .* were changed or removed by others/);
});

test('without the note of what lies there, or with a damaged one, all is sent again and nothing of others goes', async (t) => {
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

test('text gets a packed file beside it, which goes when that is no longer wanted', async (t) => {
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

test('what breaks off on its way from the service comes whole in the end', async (t) => {
  const { service, publish, assertAllThere } = await setUp(t);
  service.breaks = 2;
  await publish();
  await assertAllThere();
});

test('a file that is not as long as it was told to be is no file', async (t) => {
  const { service, publishFolder, look } = await setUp(t);
  const lying = { ...file('x'.repeat(100)) };
  service.files.set('data/c.bin', lying);
  service.beforeFile = (path) => {
    if (path === 'data/c.bin') service.files.set(path, { ...lying, bytes: Buffer.from('short') });
  };
  await run(service, { publishFolder });
  assert.equal(service.heard.end?.how, 'fail');
  assert.equal(service.heard.end.body['code'], 'cannotTransfer');
  assert.equal(service.heard.end.body['isTransient'], true);
  assert.equal(await look('index.html'), undefined);
});

test('no path of a bundle leads out of the destination, or to what is ours there', async (t) => {
  const { service, publishFolder, all } = await setUp(t);
  const bundle = service.files;
  for (const path of [
    '../x',
    'a/../../x',
    '/etc/x',
    'a//b',
    './a',
    'a\\b',
    'a\0b',
    '.platen/manifest.json',
    '.platen',
    '',
    'a/',
  ]) {
    service.files = new Map([...bundle, [path, file('x')]]);
    await run(service, { publishFolder });
    assert.equal(service.heard.end?.how, 'fail', path);
    assert.equal(service.heard.end.body['code'], 'badName', path);
  }
  assert.deepEqual(await all(), []);
});

test('a link that leads out of the destination is not followed, and what it leads to is left alone', async (t) => {
  const { service, site, publishFolder, publish } = await setUp(t);
  await publish();
  await rm(join(site, 'data'), { recursive: true });
  const outside = join(publishFolder, 'outside');
  const { place, everything } = onDisk(outside);
  await place('a.geojson', Buffer.alloc(5000));
  await symlink(outside, join(site, 'data'));
  service.files.delete('data/b.pmtiles');
  service.files.set('data/new.txt', file('new'));
  await run(service, { publishFolder });
  assert.equal(service.heard.end?.how, 'fail');
  assert.equal(service.heard.end.body['code'], 'badDestination');
  assert.deepEqual(await everything(), ['a.geojson']);
});

test('a runner publishes to no folder that its operator has not named, nor over a link out of that', async (t) => {
  const { service, publishFolder } = await setUp(t);
  const codeFor = async (folder: string, base: string | undefined) => {
    service.target = { type: 'fs', folder };
    await run(service, { publishFolder: base });
    assert.equal(service.heard.end?.body['isTransient'], false);
    return service.heard.end.body['code'];
  };
  await symlink('/tmp', join(publishFolder, 'link'));
  assert.equal(await codeFor('site', undefined), 'badDestination');
  assert.equal(await codeFor('../elsewhere', publishFolder), 'badDestination');
  assert.equal(await codeFor('/tmp', publishFolder), 'badDestination');
  assert.equal(await codeFor('link/x', publishFolder), 'badDestination');
  assert.equal(await codeFor('site', join(publishFolder, 'missing')), 'destinationRefused');
  assert.equal(await codeFor('site', '/sys'), 'destinationRefused');
});

test(
  'an abort ends it at once, whatever it waits for, and what was there still works',
  { timeout: 60_000 },
  async (t) => {
    const { service, publishFolder, all, look, publish } = await setUp(t);
    await publish();
    const before = await all();
    service.files = new Map(
      [...service.files].map(([path, each]): [string, TestFile] => [
        path,
        { ...each, version: 'two-two-two' },
      ]),
    );
    const asked = Promise.withResolvers<void>();
    service.beforeFile = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const running = run(service, { publishFolder });
    await asked.promise;
    const from = performance.now();
    service.abort();
    await running;
    const tookMs = performance.now() - from;
    t.diagnostic(`ended after ${tookMs.toFixed(0)} ms`);
    assert.ok(tookMs < 10_000, `${tookMs} ms`);
    assert.deepEqual([service.heard.end?.how, service.heard.end?.body['code']], ['fail', 'aborted']);
    assert.deepEqual(await all(), before);
    assert.equal(String(await look('index.html')), '<title>one</title>');
  },
);

test(
  'a job that takes too long, and a runner that is shut down, end just so',
  { timeout: 20_000 },
  async (t) => {
    const { service, publishFolder } = await setUp(t);
    service.beforeFile = () => new Promise(() => {});
    Object.assign(service.job, { timeoutSeconds: 1 });
    await run(service, { publishFolder });
    assert.deepEqual([service.heard.end?.how, service.heard.end?.body['code']], ['fail', 'timedOut']);
    Object.assign(service.job, { timeoutSeconds: 60 });
    const shutdown = new AbortController();
    service.beforeFile = () => {
      shutdown.abort();
      return new Promise(() => {});
    };
    await run(service, { publishFolder, shutdown: shutdown.signal });
    assert.equal(service.heard.end?.how, 'release');
  },
);

test('who has lost the job switches nothing', async (t) => {
  const { service, publishFolder, look } = await setUp(t);
  service.files.get('index.html');
  service.beforeFile = (path) => {
    if (path === 'index.html') setImmediate(() => (service.isLost = true));
  };
  await run(service, { publishFolder });
  assert.equal(service.heard.end, undefined);
  assert.equal(await look('index.html'), undefined);
  assert.equal((await stat(join(publishFolder, 'site/engine/main.js'))).isFile(), true);
});

test('who has lost the job at last removes nothing, and writes nothing about what lies there', async (t) => {
  const { service, publishFolder, site, look, publish } = await setUp(t);
  await publish();
  service.files.delete('data/a.geojson');
  await publish();
  service.yeses = 1;
  await run(service, { publishFolder });
  assert.equal(service.heard.end, undefined);
  assert.ok(await look('data/a.geojson'));
  const journal = await readFile(join(site, '.platen/journal.json'), 'utf8');
  assert.ok(journal.includes('data/a.geojson'), 'the next attempt knows what may have been touched');
});
