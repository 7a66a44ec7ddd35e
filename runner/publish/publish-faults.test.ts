import assert from 'node:assert/strict';
import { spawn, spawnSync, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { BundleTarget } from '@platen/contract/runner-bundle';
import { startS3Server, s3SkipReason, type S3Server } from '@platen/storage/testing-s3-server';
import { newFolder, onDisk } from '../destinations/testing.ts';
import { newBucketOn } from '../destinations/testing-s3.ts';
import { startSshd, whyNoSshd, type Sshd } from '../destinations/testing-sshd.ts';
import { file, run, smallBundle } from './testing.ts';
import { startTestService, type TestFile, type TestService } from './testing-service.ts';
import { afterFile } from '../../checks/clean-up.ts';

const [skipSftp, skipS3] = [whyNoSshd(), s3SkipReason()];
let sshd: Sshd;
let s3Server: S3Server;
before(async () => {
  if (!skipSftp) sshd = await startSshd();
  if (!skipS3) s3Server = await startS3Server();
});
afterFile(async () => {
  await sshd?.stop();
  await s3Server?.stop();
});

async function serviceFor(t: TestContext, target: BundleTarget): Promise<TestService> {
  const service = await startTestService(target);
  t.after(() => service.stop());
  service.files = smallBundle();
  return service;
}

const succeeded = ({ heard }: TestService) => {
  assert.equal(heard.end?.how, 'complete', JSON.stringify(heard.end));
  return heard.end.body['report'] as Record<string, unknown>;
};

/** Nothing that opens the destination was told to anybody. */
function assertNoSecret({ heard }: TestService, lines: readonly string[], secrets: readonly string[]): void {
  const output = heard.all + lines.join('\n');
  assert.ok(output.length > 500);
  for (const secret of secrets)
    assert.ok(!output.includes(secret) && !output.includes(JSON.stringify(secret).slice(1, -1)));
}

test(
  'by sftp: everything is sent first, then only changes; no secret is logged',
  { skip: skipSftp },
  async (t) => {
    const base = await newFolder((cleanUp) => t.after(cleanUp));
    const target = sshd.target({ folder: join(base, 'site'), password: 'an unused password' });
    const service = await serviceFor(t, target);
    const lines = await run(service);
    assert.equal(succeeded(service)['uploaded'], 5);
    for (const [path, { bytes }] of service.files)
      assert.deepEqual(await onDisk(join(base, 'site')).look(path), bytes);
    service.files.set('app.json', file('{"n":2}', { isEntry: true }));
    lines.push(...(await run(service)));
    assert.equal(succeeded(service)['uploaded'], 1);
    assertNoSecret(service, lines, [target.privateKey!, 'an unused password']);
  },
);

test('by sftp: the job reports a host whose key is not in the credentials', { skip: skipSftp }, async (t) => {
  const base = await newFolder((cleanUp) => t.after(cleanUp));
  const { hostKey: _, ...target } = sshd.target({ folder: base });
  const service = await serviceFor(t, target);
  await run(service);
  succeeded(service);
  const [warning, ...more] = service.heard.end!.body['warnings'] as { code: string; message: string }[];
  assert.equal(warning?.code, 'unknownHostKey');
  assert.ok(warning.message.includes(sshd.fingerprint));
  assert.deepEqual(more, []);
});

test(
  'by sftp: a connection that breaks during an upload repeats only that file',
  { skip: skipSftp, timeout: 60_000 },
  async (t) => {
    const base = await newFolder((cleanUp) => t.after(cleanUp));
    const service = await serviceFor(t, sshd.target({ folder: base }));
    service.numThreads = 1;
    let cuts = 0;
    service.beforeFile = async (path) => {
      if (path === 'data/b.pmtiles' && cuts++ === 0) await sshd.cut();
    };
    await run(service);
    assert.equal(succeeded(service)['uploaded'], 5);
    assert.ok(cuts === 1 || cuts === 2); // the cut may be noticed before anything of the file was sent
    for (const [path, { bytes }] of service.files) assert.deepEqual(await onDisk(base).look(path), bytes);
  },
);

test('by sftp: a wrong login ends the job, without revealing the login', { skip: skipSftp }, async (t) => {
  const { privateKey: _, ...target } = sshd.target({ password: 'pass-word-of-nobody' });
  const service = await serviceFor(t, target);
  const lines = await run(service);
  const { code, isTransient, message } = service.heard.end!.body;
  assert.deepEqual([code, isTransient], ['destinationRefused', false]);
  assert.ok(!String(message).includes('pass-word'));
  assertNoSecret(service, [...lines, 'x'.repeat(500)], ['pass-word-of-nobody']);
});

test(
  'to S3: text is packed with a header that says so, archives are not, and only changes are sent',
  { skip: skipS3 },
  async (t) => {
    const { s3, target, everything } = await newBucketOn(s3Server, 'published');
    const service = await serviceFor(t, target({ prefix: 'maps/' }));
    service.gzip = true;
    const lines = await run(service);
    succeeded(service);
    const get = async (path: string) => {
      const { Body, ...head } = await s3.getObject({ Bucket: 'published', Key: `maps/${path}` });
      return { ...head, bytes: Buffer.from(await Body!.transformToByteArray()) };
    };
    const script = await get('engine/main.js');
    assert.deepEqual(
      [script.ContentType, script.ContentEncoding, script.CacheControl],
      ['text/javascript', 'gzip', 'no-cache'],
    );
    assert.deepEqual(gunzipSync(script.bytes), service.files.get('engine/main.js')!.bytes);
    const archive = await get('data/b.pmtiles');
    assert.equal(archive.ContentEncoding, undefined);
    assert.deepEqual(archive.bytes, service.files.get('data/b.pmtiles')!.bytes);

    service.files.set('data/immutable-version-1/x.bin', { ...file('x'), version: 'immutable-version-1' });
    lines.push(...(await run(service)));
    assert.equal(succeeded(service)['uploaded'], 1);
    assert.match((await get('data/immutable-version-1/x.bin')).CacheControl ?? '', /immutable/);
    service.gzip = false;
    lines.push(...(await run(service)));
    assert.equal(succeeded(service)['uploaded'], 2); // what was packed comes plain
    assert.equal((await get('engine/main.js')).ContentEncoding, undefined);
    assert.ok((await everything()).every((key) => key.startsWith('maps/')));
    assertNoSecret(service, lines, [target().secretAccessKey, target().accessKeyId]);
  },
);

test(
  'to S3: what a run that was aborted in mid-upload has left is removed by the next',
  { skip: skipS3, timeout: 60_000 },
  async (t) => {
    const { s3, target } = await newBucketOn(s3Server, 'broken-off');
    const { bucket: Bucket } = target();
    const service = await serviceFor(t, target());
    service.files.set('large.bin', { bytes: Buffer.alloc(30_000_000, 1), version: 'one' });
    await s3.createMultipartUpload({ Bucket, Key: 'large.bin' });
    await s3.createMultipartUpload({ Bucket, Key: 'foreign.bin' });
    service.beforeFile = (path) => {
      if (path === 'large.bin') service.abort();
    };
    await run(service);
    assert.equal(service.heard.end?.body['code'], 'aborted');
    const next = await serviceFor(t, target());
    next.files = service.files;
    await run(next);
    succeeded(next);
    const { Uploads = [] } = await s3.listMultipartUploads({ Bucket });
    assert.deepEqual(
      Uploads.map(({ Key }) => Key),
      ['foreign.bin'],
    );
    assert.equal((await s3.headObject({ Bucket, Key: 'large.bin' })).ContentLength, 30_000_000);
  },
);

test(
  'after a runner is killed the bundle still works, and the next attempt resumes',
  { timeout: 60_000 },
  async (t) => {
    const publishFolder = await newFolder((cleanUp) => t.after(cleanUp));
    const { look, everything } = onDisk(publishFolder);
    const service = await serviceFor(t, { type: 'fs', folder: '' });
    await run(service, { publishFolder });
    succeeded(service);
    const first = service.files;
    const second = new Map<string, TestFile>(
      [...first].map(([path, each]) => [
        path,
        { ...each, bytes: Buffer.from(`2 ${path}`), version: 'version-2' },
      ]),
    );
    for (let n = 0; n < 600; n++) second.set(`tiles/${n}.pbf`, file(`tile ${n}`));
    service.files = second;
    service.numThreads = 2;
    const hangs = Promise.withResolvers<void>();
    service.beforeFile = async () => {
      await sleep(20);
      if (!/"v-tile/.test(String(await look('.platen/journal.json')))) return;
      hangs.resolve(); // what has been done is noted
      await new Promise(() => {});
    };
    const program = fileURLToPath(new URL('testing-killed.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      [program, service.url, JSON.stringify(service.job), publishFolder],
      { stdio: 'ignore' },
    );
    await hangs.promise;
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(String(await look('index.html')), '<title>one</title>');
    assert.equal(String(await look('app.json')), '{"n":1}');

    service.beforeFile = () => {};
    await run(service, { publishFolder });
    const { uploaded, unchanged } = succeeded(service);
    assert.ok(Number(unchanged) > 0, String(unchanged));
    assert.equal(Number(uploaded) + Number(unchanged), 605);
    for (const [path, { bytes }] of second) assert.deepEqual(await look(path), bytes, path);
    assert.deepEqual(await readdir(join(publishFolder, '.platen/drafts')), []);
    assert.ok((await everything()).every((path) => path === '.platen/manifest.json' || second.has(path)));
  },
);

test(
  'a bundle that returns to its former content after a killed run has that content',
  { skip: skipS3, timeout: 60_000 },
  async (t) => {
    // where files are replaced one by one
    const { s3, target, everything } = await newBucketOn(s3Server, 'went-back');
    const look = async (Key: string) => {
      const { Body } = await s3.getObject({ Bucket: 'went-back', Key });
      return Buffer.from(await Body!.transformToByteArray());
    };
    const service = await serviceFor(t, target());
    await run(service);
    const first = service.files;
    // of the same size, so that nothing but the journal tells them apart
    service.files = new Map<string, TestFile>(
      [...first].map(([path, each]) => [
        path,
        { ...each, bytes: Buffer.alloc(each.bytes.length, '2'), version: 'version-2' },
      ]),
    );
    service.files.set('only/in-the-second.bin', file('x'));
    service.numThreads = 1;
    const hangs = Promise.withResolvers<void>();
    service.beforeFile = async (path) => {
      if (!service.files.get(path)?.isEntry) return;
      hangs.resolve();
      await new Promise(() => {});
    };
    const program = fileURLToPath(new URL('testing-killed.ts', import.meta.url));
    const child = spawn(process.execPath, [program, service.url, JSON.stringify(service.job)], {
      stdio: 'ignore',
    });
    await hangs.promise;
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(String(await look('only/in-the-second.bin')), 'x');
    assert.deepEqual(await look('data/b.pmtiles'), service.files.get('data/b.pmtiles')!.bytes);
    service.files = first;
    service.beforeFile = () => {};
    await run(service);
    succeeded(service);
    for (const [path, { bytes }] of first) assert.deepEqual(await look(path), Buffer.from(bytes), path);
    assert.deepEqual(await everything(), ['.platen/manifest.json', ...first.keys()].toSorted());
  },
);

test('a full disk at the destination has its own code, is transient, and leaves a working bundle', async (t) => {
  const cleanUps: (() => Promise<void> | void)[] = [];
  t.after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  const publishFolder = await newFolder((cleanUp) => cleanUps.push(cleanUp));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', publishFolder]);
  if (mount.status !== 0) return t.skip('NOT PROVEN HERE: a small file system cannot be mounted');
  cleanUps.unshift(() => void execFileSync('umount', ['-l', publishFolder]));
  const targets: BundleTarget[] = [{ type: 'fs', folder: 'site' }];
  if (!skipSftp) targets.push(sshd.target({ folder: join(publishFolder, 'site') }));
  for (const target of targets) {
    const service = await serviceFor(t, target);
    await run(service, { publishFolder });
    succeeded(service);
    const small = service.files;
    service.files = new Map([...small, ['large.bin', { bytes: Buffer.alloc(5_000_000), version: '1' }]]);
    service.files.set('app.json', file('{"n":2}', { isEntry: true }));
    await run(service, { publishFolder });
    assert.deepEqual(
      [service.heard.end?.how, service.heard.end?.body['code'], service.heard.end?.body['isTransient']],
      ['fail', 'destinationFull', true],
    );
    assert.equal(String(await onDisk(publishFolder).look('site/app.json')), '{"n":1}');
    service.files = small;
    await run(service, { publishFolder });
    succeeded(service);
  }
});
