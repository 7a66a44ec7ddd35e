import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { RequestFailed } from '@platen/client/client';
import type { JobWarning } from '@platen/contract/jobs';
import { maxRejectBytes, maxRejects, type RejectedFeature } from '@platen/processing/rejects';
import type { JobClient } from '../job-client.ts';
import type { Report } from '../report.ts';
import { createRejectWriter, rejectLinesOf } from './reject-writer.ts';
import { uploadRejects, readRejects } from './send-rejects.ts';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-rejects-'));
afterFile(() => rm(root, { recursive: true }));
let folders = 0;

async function newFolder(): Promise<string> {
  return mkdtemp(join(root, `${folders++}-`));
}

const rejected = (feature: number, text = ''): RejectedFeature => ({
  file: 'a.csv',
  layer: 'a',
  reason: 'it is damaged',
  place: { feature, line: feature + 1 },
  properties: { text },
  geometry: null,
});

interface Sent {
  readonly query: { name: string; rejected?: number };
  readonly collection: { rejected: { count: number; shown: number; note: string }; features: unknown[] };
}

/** What the service gets of these lines. */
async function send(lines: Buffer, warnings: JobWarning[], refusal?: Error) {
  const sent: Sent[] = [];
  const log: string[] = [];
  const client = {
    async putRunnerJobFile({ query, body }: { query: Sent['query']; body: Uint8Array }) {
      if (refusal) throw refusal;
      const collection = JSON.parse(Buffer.from(body).toString()) as Sent['collection'];
      sent.push({ query, collection });
    },
  } as unknown as JobClient;
  const report = {
    allWarnings: () => warnings,
    log: ({ message }: { message: string }) => void log.push(message),
  } as unknown as Report;
  await uploadRejects(lines, { client, jobId: 'j', report });
  return { sent, log };
}

const warning = (code: string, count: number): JobWarning => ({ code, message: '', count, examples: [] });

test('the file says how many there are in all, by code, and holds the first of them', async () => {
  const folder = await newFolder();
  const writer = createRejectWriter(folder);
  for (let i = 1; i <= maxRejects + 10; i++) writer.add('invalidGeometry', rejected(i));
  const warnings = [
    warning('invalidGeometry', 10_500),
    warning('withoutGeometry', 3),
    warning('longEdges', 9),
  ];
  const { sent } = await send(await readRejects(folder), warnings);
  const [{ query, collection }] = sent as [Sent];
  assert.deepEqual(query, { name: 'rejects.geojson', rejected: 10_503 });
  assert.equal(collection.features.length, maxRejects);
  const { note, ...counts } = collection.rejected;
  const codes = { invalidGeometry: 10_500, withoutGeometry: 3 };
  assert.deepEqual(counts, { count: 10_503, shown: maxRejects, codes });
  assert.match(note, /first 10000 of the 10503/);
  const reported = {
    code: 'invalidGeometry',
    message: 'it is damaged',
    file: 'a.csv',
    layer: 'a',
    feature: 1,
    line: 2,
  };
  assert.deepEqual(collection.features[0], {
    type: 'Feature',
    geometry: null,
    properties: { text: '', platenReject: reported },
  });
});

test('the file is at most 64 MiB long', async () => {
  const folder = await newFolder();
  const writer = createRejectWriter(folder);
  const text = 'x'.repeat(2 ** 20);
  for (let i = 1; i <= 70; i++) writer.add('invalidGeometry', rejected(i, text));
  const lines = await readRejects(folder);
  assert.ok(lines.length <= maxRejectBytes && lines.length > 60 * 2 ** 20);
  const { sent } = await send(lines, [warning('invalidGeometry', 70)]);
  assert.equal(sent[0]!.collection.features.length, 63);
});

test('complete lines of a process that ended within a line are kept, and all of them count', async () => {
  const folder = await newFolder();
  const writer = createRejectWriter(folder);
  for (const i of [1, 2]) writer.add('brokenRecord', rejected(i));
  await appendFile(rejectLinesOf(folder), '{"type":"Feature","prop');
  const { sent } = await send(await readRejects(folder), []);
  assert.equal(sent[0]!.query.rejected, 2);
  assert.equal(sent[0]!.collection.features.length, 2);
});

test('rejected features of an earlier attempt do not count, and without any nothing is sent', async () => {
  const folder = await newFolder();
  createRejectWriter(folder).add('brokenRecord', rejected(1));
  createRejectWriter(folder);
  const { sent, log } = await send(await readRejects(folder), [warning('longEdges', 3)]);
  assert.deepEqual([sent, log], [[], []]);
});

test('no link is followed out of the folder of the job', async () => {
  const folder = await newFolder();
  const secret = join(root, 'secret');
  await writeFile(secret, '{"secret":1}\n');
  await symlink(secret, rejectLinesOf(folder));
  assert.equal((await readRejects(folder)).length, 0);
});

test('a refusal by the service is logged, and the job ends as before', async () => {
  const full = new RequestFailed(507, { code: 'storage_full', detail: 'The quota is used up.' });
  const { log } = await send(Buffer.from('{}\n'), [warning('brokenRecord', 1)], full);
  assert.match(log.join(), /could not be stored as a file: The quota is used up/);
});
