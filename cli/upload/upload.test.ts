import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { projectWithCities, cities } from '../../server/jobs/tasks/testing.ts';
import { platen } from '../testing-platen.ts';
import { emptyFolder, startListening } from '../testing.ts';
import { startProxy } from './testing-proxy.ts';

const { service, url, env: account } = await startListening();
const { projectId, bucketId } = await projectWithCities(service);
const proxy = await startProxy(url);
const env = { ...account, PLATEN_URL: proxy.url, PLATEN_PROJECT: 'City' };
const params = { projectId, dataBucketId: bucketId };
const folder = await emptyFolder();
const path = (name: string) => join(folder, name);

const keysBelow = async (prefix: string) => {
  const { items } = await service.admin.getProjectDataBucketObjects({ params, query: { prefix } });
  return items.map(({ key }) => key).toSorted();
};
const contentOf = async (key: string) => {
  const response = await service.admin.getProjectDataBucketDownloadFile({ params, query: { key } });
  return Buffer.from(await response.arrayBuffer());
};
const upload = (words: string[]) => platen(['upload', ...words], { env });

interface Reports {
  files: { key: string; result?: string; resumedFrom?: number; error?: string }[];
}
const reportsOf = ({ out }: { out: string }) => (JSON.parse(out) as Reports).files;

test('a folder is uploaded with its structure, and not again', async () => {
  await mkdir(path('city/roads/empty'), { recursive: true });
  await writeFile(path('city/a.txt'), 'a');
  await writeFile(path('city/roads/é ü.txt'), '');
  await writeFile(path('city/roads/evil\u001B[2J.txt'), 'x');
  await writeFile(path('target.txt'), 'linked');
  await symlink(path('target.txt'), path('city/link.txt'));
  await symlink(path('city'), path('city/circle'));
  const first = await upload([path('city'), '--prefix', '/in']);
  assert.equal(first.code, 1);
  assert.match(first.out, /3 uploaded \(7 B\), 0 unchanged, 0 skipped, 1 failed\n$/);
  assert.match(first.err, /Skipped .*circle: links to folders are not followed/);
  assert.match(first.err, /evil\\u001b\[2J\.txt: .*control/i);
  assert.deepEqual(await keysBelow('in/'), ['in/city/a.txt', 'in/city/link.txt', 'in/city/roads/é ü.txt']);
  assert.equal((await contentOf('in/city/link.txt')).toString(), 'linked');
  await rename(path('city/roads/evil\u001B[2J.txt'), path('city/good.txt'));
  const again = await upload([`${path('city')}/.`, '--prefix', 'in/city/', '--json']);
  assert.equal(again.code, 0);
  assert.deepEqual(
    reportsOf(again).map(({ key, result }) => [key, result]),
    [
      ['in/city/a.txt', 'unchanged'],
      ['in/city/good.txt', 'uploaded'],
      ['in/city/link.txt', 'unchanged'],
      ['in/city/roads/é ü.txt', 'unchanged'],
    ],
  );
});

test('a file with another content is refused, kept or replaced as the options say', async () => {
  await writeFile(path('cities.geojson'), '{}');
  const refused = await upload([path('cities.geojson'), path('target.txt')]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /“cities\.geojson” exists with another content\. .*--overwrite.*--skip-existing/);
  assert.match(
    refused.out,
    /1 uploaded \(6 B\), 0 unchanged, 0 skipped, 1 failed/,
    'the others are uploaded',
  );
  assert.match((await upload([path('cities.geojson'), '--skip-existing'])).out, /1 skipped/);
  assert.equal((await contentOf('cities.geojson')).toString(), cities);
  assert.equal((await upload([path('cities.geojson'), '--overwrite'])).code, 0);
  assert.equal((await contentOf('cities.geojson')).toString(), '{}');
  const missing = await upload([path('none.txt')]);
  assert.deepEqual([missing.code, missing.err], [1, `platen: ${path('none.txt')} does not exist.\n`]);
  const twice = await upload([path('target.txt'), path('city/../target.txt')]);
  assert.deepEqual([twice.code, twice.out], [2, '']);
});

const program = fileURLToPath(new URL('../platen.js', import.meta.url));

/** Starts the upload of a file, and kills the process once the service has some of its bytes. */
async function killDuring(name: string): Promise<void> {
  const isReached = proxy.holdAfter(2_500_000);
  const words = [program, 'upload', path(name)];
  const child = spawn(process.execPath, words, {
    env: { ...env, PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await Promise.race([isReached, exited.then(() => assert.fail('it ended before'))]);
  child.kill('SIGKILL');
  await exited;
  proxy.release();
}

test('an upload whose process was killed continues, and only the rest is sent', async () => {
  const content = randomBytes(6_000_000);
  await writeFile(path('large.bin'), content);
  await killDuring('large.bin');
  const sent = proxy.sent();
  const outcome = await upload([path('large.bin'), '--json']);
  assert.deepEqual([outcome.code, outcome.err], [0, '']);
  const [{ result, resumedFrom = 0 } = {}] = reportsOf(outcome);
  assert.equal(result, 'uploaded');
  assert.ok(resumedFrom >= 1 << 20, `${resumedFrom} bytes had arrived`);
  assert.equal(proxy.sent() - sent, content.length - resumedFrom);
  assert.ok(content.equals(await contentOf('large.bin')));
});

test('a file that has replaced the interrupted one is stored as it is, even with its size and time', async () => {
  const content = randomBytes(6_000_000);
  await writeFile(path('changed.bin'), randomBytes(6_000_000));
  await killDuring('changed.bin');
  await writeFile(path('changed.bin'), content);
  await utimes(path('changed.bin'), 0, 0);
  assert.equal((await upload([path('changed.bin')])).code, 0);
  assert.ok(content.equals(await contentOf('changed.bin')));
});

test('a connection that breaks is opened again, and the upload continues', async () => {
  const content = randomBytes(3_000_000);
  await writeFile(path('shaky.bin'), content);
  void proxy.breakAfter(1_500_000);
  const { code, out, err } = await upload([path('shaky.bin')]);
  assert.deepEqual(
    [code, out],
    [0, 'uploaded   shaky.bin (3.0 MB)\n1 uploaded (3.0 MB), 0 unchanged, 0 skipped, 0 failed\n'],
  );
  assert.match(err, /^shaky\.bin: trying again\. Cannot reach/);
  assert.ok(content.equals(await contentOf('shaky.bin')));
});

test('a file that changes during its upload is not stored', async () => {
  await writeFile(path('growing.bin'), randomBytes(3_000_000));
  const broken = proxy.breakAfter(1_500_000).then(() => appendFile(path('growing.bin'), 'more'));
  const { code, err } = await upload([path('growing.bin')]);
  await broken;
  assert.equal(code, 1);
  assert.match(err, /growing\.bin was changed while it was being uploaded\.\n$/);
  assert.deepEqual(await keysBelow('growing'), []);
});

test('Ctrl-C keeps what has arrived and says how to continue', async () => {
  await writeFile(path('stopped.bin'), randomBytes(6_000_000));
  const stop = new AbortController();
  void proxy.holdAfter(2_500_000).then(() => stop.abort());
  const { code, err } = await platen(['upload', path('stopped.bin')], { env, signal: stop.signal });
  proxy.release();
  assert.deepEqual([code, err], [130, 'platen: Interrupted. Run the same command again to continue.\n']);
});
