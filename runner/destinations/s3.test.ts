import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startS3Server, s3SkipReason, type S3Server } from '@platen/storage/testing-s3-server';
import { parseEgressPolicy } from '@platen/egress/policy';
import { chunksOf, destinationConformance } from './conformance.ts';
import { openS3, type S3Target } from './s3.ts';
import { never, openAccess } from './testing.ts';
import { newBucketOn } from './testing-s3.ts';
import { afterFile } from '../../checks/clean-up.ts';

const skip = s3SkipReason();
let server: S3Server;
let buckets = 0;
before(async () => {
  if (!skip) server = await startS3Server();
});
afterFile(() => server?.stop());

const newBucket = () => newBucketOn(server, `bucket-${++buckets}`);
const open = (target: S3Target, signal = never()) => openS3(target, { egressPolicy: openAccess, signal });
const about = { contentType: 'application/json', cacheControl: 'no-cache', isGzipped: true };

destinationConformance(
  'S3',
  async () => {
    const { s3, target, everything } = await newBucket();
    const s3Target = target({ prefix: 'maps/town/' });
    const at = (path: string) => ({ Bucket: s3Target.bucket, Key: `maps/town/${path}` });
    return {
      destination: await open(s3Target),
      again: (signal) => open(s3Target, signal),
      everything: async () => (await everything()).map((key) => key.replace(/^maps\/town\//, '')),
      async look(path) {
        const found = await s3.getObject(at(path)).catch(() => undefined);
        return found && Buffer.from(await found.Body!.transformToByteArray());
      },
      async place(path, bytes) {
        await s3.putObject({ ...at(path), Body: bytes });
      },
    };
  },
  { skip },
);

test('S3: an object has its media type, encoding and cache time', { skip }, async () => {
  const { s3, target } = await newBucket();
  const destination = await open(target());
  for (const [path, size] of [
    ['small.json', 10],
    ['large.json', 9_000_000],
  ] as const) {
    await (await destination.draft(path, chunksOf(Buffer.alloc(size)), about)).switch();
    const head = await s3.headObject({ Bucket: target().bucket, Key: path });
    assert.deepEqual(
      [head.ContentType, head.CacheControl, head.ContentEncoding],
      ['application/json', 'no-cache', 'gzip'],
    );
  }
});

test('S3: wrong keys and a missing bucket are refusals, which do not reveal the keys', { skip }, async () => {
  const { target } = await newBucket();
  for (const [change, code] of [
    [{ secretAccessKey: 'a wrong secret' }, 'SignatureDoesNotMatch'],
    [{ accessKeyId: 'nobody' }, 'InvalidAccessKeyId'],
    [{ bucket: 'no-such-bucket' }, 'NoSuchBucket'],
  ] as const) {
    const s3Target = target(change);
    const destination = await open(s3Target);
    const putting = destination
      .draft('a.txt', chunksOf(Buffer.from('x')), about)
      .then((draft) => draft.switch());
    await assert.rejects(putting, (error: Error & { code: string }) => {
      assert.equal(error.code, 'destinationRefused');
      assert.match(error.message, new RegExp(code));
      assert.ok(
        !error.message.includes(s3Target.secretAccessKey) && !error.message.includes(s3Target.accessKeyId),
      );
      return true;
    });
  }
});

test('S3: a bucket whose quota is used up is full', { skip }, async () => {
  const { target } = await newBucket();
  const { bucket } = target();
  const destination = await open(target());
  await server.admin('quota', 'set', '--quota-scope=bucket', `--bucket=${bucket}`, '--max-size=1M');
  await server.admin('quota', 'enable', '--quota-scope=bucket', `--bucket=${bucket}`);
  const putting = destination
    .draft('a.bin', chunksOf(Buffer.alloc(3_000_000)), about)
    .then((draft) => draft.switch());
  await assert.rejects(putting, { code: 'destinationFull' });
});

test('S3: a server that disconnects is a transient failure', { skip }, async () => {
  const { target } = await newBucket();
  const destination = await open(target());
  await server.crash();
  try {
    await assert.rejects(destination.read('a', 10), { code: 'cannotReachDestination' });
  } finally {
    await server.restart();
  }
});

test('S3: private addresses and connections without TLS are refused unless the operator allows them', async () => {
  const target: S3Target = {
    type: 's3',
    endpoint: 'https://127.0.0.1:9',
    region: 'us-east-1',
    bucket: 'maps',
    isPathStyle: true,
    accessKeyId: 'a',
    secretAccessKey: 'b',
    prefix: '',
  };
  const openWith = (change: Partial<S3Target>, allowed: string) =>
    openS3({ ...target, ...change }, { egressPolicy: parseEgressPolicy(allowed), signal: never() });
  await assert.rejects(openWith({}, ''), { code: 'privateAddress' });
  await assert.rejects(openWith({ endpoint: 'https://localhost' }, ''), { code: 'privateAddress' });
  await assert.rejects(openWith({ endpoint: 'http://example.org' }, ''), { code: 'notHttps' });
  await assert.rejects(openWith({ endpoint: 'file:///etc' }, 'http'), { code: 'badUrl' });
  await assert.rejects(openWith({ region: 'x/../y' }, 'http'), { code: 'badDestination' });
  await assert.rejects(openWith({ bucket: '../b' }, '127.0.0.0/8'), { code: 'badDestination' });
  await assert.rejects(openWith({ prefix: '../' }, '127.0.0.0/8'), { code: 'badDestination' });
});

test('S3: what its name means is checked again whenever a connection is made', async () => {
  const target: S3Target = {
    type: 's3',
    endpoint: 'https://localhost:9',
    region: 'us-east-1',
    bucket: 'maps',
    isPathStyle: true,
    accessKeyId: 'a',
    secretAccessKey: 'b',
    prefix: '',
  };
  let isPublic = true;
  const egressPolicy = { allowsHttp: true, isAllowed: () => isPublic };
  const destination = await openS3(target, { egressPolicy, signal: never() });
  isPublic = false;
  await assert.rejects(destination.read('a', 10), { code: 'privateAddress' });
});
