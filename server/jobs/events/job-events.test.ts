import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobLogEntry } from '@platen/contract/jobs';
import { sql } from 'kysely';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { hear, listening, openReply } from './testing.ts';

const service = await startService();
const { admin, adminToken, as: inside } = service;
const { url, as } = await listening(service);
const { projectId, bucketId } = await projectWithCities(service);
const enrolmentToken = newSecret();
await allowEnrolment(service.context.db, hashSecret(enrolmentToken));
const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
const runner = inside((await inside().postRunnerEnrol({ body: enrolment })).token);

type ReceivedEvent = { event: string; data: object; id: string };

async function newJob() {
  const task = await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  return { projectId, jobId: task.lastJobId! };
}

/** Claims the job; what its runner says. */
async function hold() {
  const job = (await runner.postRunnerClaim({ body: { waitSeconds: 0 } })).job!;
  const client = inside(job.token);
  const params = { jobId: job.jobId };
  let first = 0;
  return {
    progress: (phase: string, done: number) =>
      client.postRunnerJobProgress({ params, body: { progress: { phase, done, total: 10 }, warnings: [] } }),
    async log(...messages: string[]) {
      const at = new Date().toISOString();
      const entries = messages.map((message) => ({ at, level: 'info' as const, message }));
      await client.postRunnerJobLog({ params, body: { first, entries } });
      first += messages.length;
    },
    fail: (message: string) =>
      client.postRunnerJobFail({ params, body: { code: 'brokenFile', message, warnings: [] } }),
  };
}

const follow = (params: { projectId: string; jobId: string }, lastEventId?: string) =>
  hear<ReceivedEvent>((signal) =>
    as(adminToken).getProjectJobEvents({
      params,
      signal,
      ...(lastEventId !== undefined && { query: { lastEventId } }),
    }),
  );

const linesOf = (events: readonly ReceivedEvent[]) =>
  events.filter(({ event }) => event === 'log').map(({ data }) => data as JobLogEntry);

/** What a client knows that puts together what it is told. */
const jobOf = (events: readonly ReceivedEvent[]) => {
  let job: Partial<Job> = {};
  for (const { event, data } of events) {
    if (event === 'job') job = data;
    if (event === 'change') job = { ...job, ...data };
  }
  return Object.fromEntries(Object.entries(job).filter(([, value]) => value !== null));
};

const answerTo = (params: { jobId: string }, lastEventId: string, query = '') =>
  fetch(`${url}/api/v1/project/${projectId}/job/${params.jobId}/events${query}`, {
    headers: { authorization: `Bearer ${adminToken}`, 'last-event-id': lastEventId },
  });

test('a job is reported from the queue to its end, with every log line, and then the stream ends', async () => {
  const params = await newJob();
  const heard = follow(params);
  await heard.until((events) => events.length > 0, 'the job as it is');
  assert.deepEqual([heard.events[0]!.event, jobOf(heard.events)['state']], ['job', 'queued']);
  const held = await hold();
  await held.log('one', 'two');
  await held.progress('reading', 3);
  await heard.until(
    (events) =>
      (jobOf(events)['progress'] as { done?: number } | undefined)?.done === 3 &&
      linesOf(events).length === 2,
    'progress and lines',
  );
  await held.progress('reading', 7);
  await heard.until((events) => (jobOf(events)['progress'] as { done: number }).done === 7, 'more progress');
  const { data } = heard.events.findLast(({ event }) => event === 'change')!;
  assert.equal('parameters' in data, false, 'what has not changed is not told again');
  await held.log('three');
  await held.fail('no good');
  await heard.ended();
  assert.deepEqual(heard.outcome, {});
  const { waitsFor: _, ...job } = await admin.getProjectJob({ params });
  assert.deepEqual(jobOf(heard.events), job);
  const { items } = await admin.getProjectJobLog({ params });
  assert.deepEqual(linesOf(heard.events), items);
  assert.ok(items.length >= 4, 'the end is in the log, too');
  assert.equal(heard.events.at(-1)!.event, 'end');
  assert.equal(heard.events.filter(({ event }) => event === 'end').length, 1);
});

test('a reader that resumes in between receives the rest once, and at the end is told not to reconnect', async () => {
  const params = await newJob();
  const held = await hold();
  await held.log('one', 'two', 'three');
  const heard = follow(params);
  await heard.until((events) => linesOf(events).length === 3, 'the first lines');
  heard.stop();
  const second = heard.events.find(({ data }) => (data as JobLogEntry).message === 'two')!;
  await held.log('four');
  await held.fail('over');
  const again = follow(params, second.id);
  await again.ended();
  assert.deepEqual(
    linesOf(again.events)
      .map(({ message }) => message)
      .slice(0, 2),
    ['three', 'four'],
  );
  assert.deepEqual(
    again.events.slice(-2).map(({ event }) => event),
    ['job', 'end'],
  );
  const end = again.events.at(-1)!.id;
  assert.equal((await answerTo(params, end)).status, 204);
  assert.equal((await answerTo(params, '', `?lastEventId=${end}`)).status, 204);
  const over = follow(params, end);
  await over.ended();
  assert.deepEqual([over.events, over.outcome], [[], {}]);
});

test('an invalid id is refused, and an unknown one starts over', async () => {
  const params = await newJob();
  for (const id of ['x', '1', '1.', '-1.2', '1.2.3', '99999999999.1', '1.1e3', '%00'])
    assert.equal((await answerTo(params, id)).status, 400, id);
  assert.equal((await answerTo(params, '', `?lastEventId=${'1'.repeat(50)}`)).status, 400);
  await admin.putProjectJobAbort({ params });
  const heard = follow(params, '900000.900000');
  await heard.ended();
  assert.deepEqual(jobOf(heard.events)['state'], 'aborted');
  assert.deepEqual([heard.events[0]!.event, heard.events.at(-1)!.event], ['job', 'end']);
});

test('deleting a job ends its stream, and the client learns that it no longer exists', async () => {
  const params = await newJob();
  const heard = follow(params);
  await heard.until((events) => events.length > 0, 'it begins');
  const { db } = service.context;
  await db.deleteFrom('job').where('id', '=', params.jobId).execute();
  await heard.ended();
  assert.equal((heard.outcome!.error as { status?: number }).status, 404);
});

const lineCount = 100_000;

test('a log of 100,000 lines is sent whole to a slow reader, without memory and without delaying others', async (t) => {
  const params = await newJob();
  const { db } = service.context;
  await sql`insert into job_log (job_id, seq, at, level, message)
    select ${params.jobId}, n, now(), 'info', repeat('a line of a log ', 64)
    from generate_series(1, ${lineCount}::int) n`.execute(db);
  await db.updateTable('job').set({ log_seq: lineCount }).where('id', '=', params.jobId).execute();
  await admin.putProjectJobAbort({ params });

  let held: ServerResponse | undefined;
  service.app.server.once('request', (_, response: ServerResponse) => {
    held = response;
  });
  const slow = await openReply(`${url}/api/v1/project/${projectId}/job/${params.jobId}/events`, {
    authorization: `Bearer ${adminToken}`,
  });
  slow.pause();
  await sleep(1500);
  const kilobytes = held!.writableLength / 1024;
  assert.ok(kilobytes < 1024, `${kilobytes.toFixed(0)} KiB wait for who does not read`);

  const start = performance.now();
  const fast = follow(params);
  await fast.until(({ length }) => length > 1000, 'another reads meanwhile');
  const tookMs = performance.now() - start;
  t.diagnostic(`another was served after ${tookMs.toFixed(0)} ms`);
  assert.ok(tookMs < 10_000, `${tookMs} ms`);
  fast.stop();

  let rest = '';
  let expected = 1;
  let end = false;
  for await (const chunk of slow.setEncoding('utf8')) {
    const blocks = (rest + (chunk as string)).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (block.startsWith('event: log')) assert.equal((JSON.parse(data!) as JobLogEntry).seq, expected++);
      if (block.startsWith('event: end')) end = true;
    }
  }
  assert.ok(end);
  assert.ok(expected > lineCount);
});

test('replies are made for proxies and browsers', async () => {
  const params = await newJob();
  const reply = await answerTo(params, '');
  const headers = Object.fromEntries(reply.headers);
  assert.equal(reply.status, 200);
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-accel-buffering'], 'no');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.ok(headers['x-request-id']);
  assert.equal(headers['content-encoding'], undefined);
  const reader = reply.body!.getReader();
  const { value } = await reader.read();
  assert.match(new TextDecoder().decode(value), /^retry: \d{4}\n\n/);
  await reader.cancel();
});

test('a HEAD request does not wait', async () => {
  const { jobId } = await newJob();
  for (const path of [`project/${projectId}/events`, `project/${projectId}/job/${jobId}/events`]) {
    const reply = await fetch(`${url}/api/v1/${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${adminToken}` },
      signal: AbortSignal.timeout(5_000),
    });
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type')!, /^text\/event-stream/);
  }
});
