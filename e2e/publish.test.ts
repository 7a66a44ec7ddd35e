import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Task } from '@platen/contract/tasks';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { startS3Server, s3SkipReason, type S3Server } from '@platen/storage/testing-s3-server';
import { newBucketOn } from '../runner/destinations/testing-s3.ts';
import { startSshd, whyNoSshd, type Sshd } from '../runner/destinations/testing-sshd.ts';
import { findChromium } from './chromium.ts';
import { runService, type RunningService } from './processes.ts';
import { squareTile } from './testing-archives.ts';
import { nginx, serveByNginx } from './testing-static.ts';
import { untilFactsAreKnown } from './testing-facts.ts';
import { sharedBrowser } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';

const [noSftp, noS3, chromium] = [whyNoSshd(), s3SkipReason(), findChromium()];
const password = 'a password that no server takes';
let scratch: string;
let www: string;
let service: RunningService;
let sshd: Sshd;
let s3Server: S3Server;
let log = '';
let params: { projectId: string; appId: string; dataBucketId: string };

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'platen-publish-'));
  www = join(scratch, 'www');
  await mkdir(www);
  if (!noSftp) sshd = await startSshd();
  if (!noS3) s3Server = await startS3Server();
  service = await runService({
    env: {
      PLATEN_RUNNERS: '1',
      PLATEN_FETCH_ALLOW: 'http 127.0.0.0/8',
      PLATEN_PUBLISH_FOLDER: www,
      PLATEN_LOG_LEVEL: 'debug',
    },
    onLog: (text) => (log += text),
  });
  params = await makeApp();
});
afterFile(async () => {
  await service?.stop();
  await sshd?.stop();
  await s3Server?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const field = (west: number) =>
  JSON.stringify({
    type: 'Polygon',
    coordinates: [[[west, 0], [west + 1, 0], [west + 1, 1], [west, 1], [west, 0]]], // prettier-ignore
  });

async function upload(key: string, content: string | Uint8Array): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), key);
  const query = { overwrite: true } as never;
  await service.client.postProjectDataBucketUpload({ params, query, body: form });
}

/** Creates an app of a layer that is visible at once, and tiles that are not. */
async function makeApp(): Promise<typeof params> {
  const { client } = service;
  const body = { name: 'Published', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  params = { projectId, dataBucketId, appId: '' };
  await upload('field.geojson', field(10));
  await upload('tiles.pmtiles', oneTile());
  const layers = [];
  for (const [type, key] of [
    ['geojson', 'field.geojson'],
    ['vectortiles', 'tiles.pmtiles'],
  ] as const) {
    const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: key } as const;
    const source = { name: key, type, sourceProperties };
    const { _id: datasourceId } = await client.postProjectDatasource({ params, body: source });
    await untilFactsAreKnown(client, { projectId, datasourceId });
    const layer = await client.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
    layers.push({ ...layer, name: key, activeOnStartup: type === 'geojson' });
  }
  const maps = [{ type: 'OpenlayersMap', name: 'map' }];
  const module = { name: 'All', layers, maps, startingMapName: 'map' };
  const { _id: moduleId } = await client.postProjectModule({ params, body: module as never });
  const app = { name: 'City', description: '', mapVersion: '^6.3.0', moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body: app });
  return { projectId, dataBucketId, appId };
}

function oneTile(): Uint8Array {
  const info = {
    tileType: tileType.mvt,
    tileCompression: compression.gzip,
    metadata: { name: 'Squares', vector_layers: [{ id: 'squares', fields: {} }] },
    minZoom: 0,
    maxZoom: 0,
    bounds: [-180, -85, 180, 85] as const,
    center: [0, 0, 0] as const,
  };
  return buildArchiveInMemory([{ tileId: 0, bytes: gzipSync(squareTile()) }], info, gzipSync);
}

interface Counts {
  readonly files: number;
  readonly uploaded: number;
  readonly unchanged: number;
}

async function credentials(body: object): Promise<string> {
  return (await service.client.postProjectCredential({ params, body: { name: 'C', ...body } as never }))._id;
}

/** The report of the last job of a task. */
async function reportOf({ lastJobId }: Task): Promise<Counts> {
  const path = { projectId: params.projectId, jobId: lastJobId! };
  for (;;) {
    const job = await service.client.getProjectJob({ params: path });
    if (job.endTime === undefined) {
      await sleep(100);
      continue;
    }
    assert.equal(job.state, 'succeeded', `${job.errorCode}: ${job.errorMessage}`);
    return job.report as unknown as Counts;
  }
}

async function publish(body: {
  credentialsId: string;
  destination: string;
  gzip?: boolean;
}): Promise<Counts> {
  return reportOf(await service.client.putProjectAppPublish({ params, body }));
}

/** First all, then nothing, and of a file that has changed no more than what depends on it. */
async function publishThrice(
  credentialsId: string,
  more: { gzip?: boolean } = {},
): Promise<Counts & { since: number }> {
  const body = { credentialsId, destination: 'city/now', numThreads: 16, ...more };
  const first = await publish(body);
  assert.equal(first.uploaded, first.files);
  assert.ok(first.files > 50);
  const second = await publish(body);
  assert.deepEqual([second.uploaded, second.unchanged], [0, first.files]);
  const since = Date.now();
  await upload('field.geojson', field(10 + Math.random()));
  const third = await publish(body);
  assert.ok(third.uploaded >= 1 && third.uploaded <= 6, `${third.uploaded} files were sent`);
  return { ...third, since };
}

test(
  'an app is published to a folder, where only what has changed is written, and runs from nginx',
  { timeout: 240_000 },
  async (t) => {
    const { uploaded, files, since } = await publishThrice(await credentials({ type: 'fs', folder: 'web' }));
    const folder = join(www, 'web/city/now');
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const writtenAt = await Promise.all(
      names.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs),
    );
    assert.ok(writtenAt.filter((at) => at >= since).length <= uploaded + 1);
    assert.ok(names.length >= files);
    await showInBrowser(t, 'web/city/now/');
  },
);

async function showInBrowser(t: TestContext, path: string): Promise<void> {
  if (!chromium || !nginx) return t.diagnostic('LEFT OUT: there is no Chromium, or no nginx');
  const server = await serveByNginx(www, scratch);
  const browser = await sharedBrowser(chromium);
  try {
    const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on(
      'response',
      (reply) => reply.status() >= 400 && complaints.push(`${reply.status()} ${reply.url()}`),
    );
    const data = page.waitForResponse((reply) => reply.url().endsWith('.geojson'), { timeout: 120_000 });
    await page.goto(`${server.url}/${path}`);
    assert.equal((await data).status(), 200);
    await page.waitForTimeout(500);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    await server.stop();
  }
}

test(
  'an app is published by sftp, and the password of other credentials is never revealed',
  { skip: noSftp, timeout: 120_000 },
  async () => {
    const { host, port, username, privateKey, hostKey } = sshd.target();
    const folder = join(scratch, 'sftp');
    await mkdir(folder);
    const own = { type: 'sftp', host, port, username, hostKey, folder };
    await publishThrice(await credentials({ ...own, privateKey }));
    assert.match(await readFile(join(folder, 'city/now/index.html'), 'utf8'), /<title>City/);

    const task = await service.client.putProjectAppPublish({
      params,
      body: { credentialsId: await credentials({ ...own, password }), destination: 'refused' },
    });
    await assert.rejects(reportOf(task), /destinationRefused/);
    const { client } = service;
    const path = { projectId: params.projectId, jobId: task.lastJobId! };
    const answers = JSON.stringify([
      await client.getProjectJob({ params: path }),
      await client.getProjectJobLog({ params: path }),
    ]);
    assert.ok(!answers.includes(password) && !answers.includes('PRIVATE KEY'));
  },
);

test('an app is published to S3, with text packed', { skip: noS3, timeout: 120_000 }, async () => {
  const { s3, target } = await newBucketOn(s3Server, 'published');
  const { endpoint, region, bucket, isPathStyle, accessKeyId, secretAccessKey } = target();
  const own = { type: 's3', endpoint, region, bucket, isPathStyle, prefix: 'maps' };
  const credentialsId = await credentials({ ...own, accessKeyId, secretAccessKey });
  await publishThrice(credentialsId, { gzip: true });
  const head = await s3.headObject({ Bucket: bucket, Key: 'maps/city/now/index.html' });
  assert.match(head.ContentType ?? '', /^text\/html/);
  assert.deepEqual([head.ContentEncoding, head.CacheControl], ['gzip', 'no-cache']);
});

test('in no log of the service and its runners is anything that opens a destination', async () => {
  await writeFile(join(scratch, 'log'), log);
  assert.match(log, /"level":/);
  const secrets = [
    password,
    sshd?.target().privateKey?.split('\n')[2],
    s3Server?.secretAccessKey,
    s3Server?.accessKeyId,
  ];
  for (const secret of secrets) assert.ok(secret === undefined || !log.includes(secret));
});
