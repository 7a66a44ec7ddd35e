// A test of faults.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import type { ProjectEvent } from '@platen/contract/events';
import type { JobLogEntry } from '@platen/contract/jobs';
import { end, runService, type RunningService } from './processes.ts';
import { startPreparedPostgres } from './testing-prepared.ts';

const rounds = 5;
const enrolmentToken = 'a secret between operator and runners';
const changesInRound = 40;

/** Simulates a load balancer: directs new connections to the service that is up, and can cut all connections. */
async function startBalancer() {
  const sockets = new Set<Socket>();
  let target = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          incoming.destroy();
          outgoing.destroy();
        });
    }
    incoming.pipe(outgoing);
    outgoing.pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (service: RunningService) => {
      target = service.port;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Followers reconnect for ever and holders keep their jobs: the end of the test aborts them, whatever its result. */
const followed: AbortController[] = [];

/** Reads in the background; the text of each event that `pick` takes. */
function hear<E extends { event: string }>(
  open: (signal: AbortSignal) => AsyncIterable<E>,
  pick: (event: E) => string | undefined,
) {
  const stopping = new AbortController();
  followed.push(stopping);
  const names: string[] = [];
  const received: string[] = [];
  const reading = (async () => {
    for await (const event of open(stopping.signal)) {
      names.push(event.event);
      const text = pick(event);
      if (text !== undefined) received.push(text);
    }
  })();
  reading.catch(() => {}); // looked at by whoever stops it
  const until = async (isThere: () => boolean, what: () => string) => {
    for (const start = performance.now(); !isThere(); await sleep(20))
      assert.ok(performance.now() - start < 30_000, what());
  };
  return {
    names,
    received,
    reading,
    began: () =>
      until(
        () => names.length > 0,
        () => 'it begins',
      ),
    has: (count: number) =>
      until(
        () => received.length >= count,
        () => `${received.length} of ${count} were received`,
      ),
    async stop() {
      stopping.abort();
      await assert.rejects(reading, { name: 'AbortError' });
    },
  };
}

/** A job that runs, and writes its log through one service. */
async function runningJob({ client, url }: RunningService, projectId: string, dataBucketId: string) {
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), 'f.geojson');
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { lastJobId } = await client.postProjectTask({
    params: { projectId },
    body: {
      name: 'T',
      jobType: 'platenTilesVector',
      schedule: { type: 'immediate' },
      parameters: {
        datasource: { command: 'create', name: 'D' },
        options: { input: { type: 'internal', dataBucketId, dataBucketKey: 'f.geojson' } },
      },
    },
  });
  const enrolment = { enrolmentToken, name: 'runner', labels: [], version: '' };
  const enrolled = await createClient(apiEndpoints, { baseUrl: url }).postRunnerEnrol({ body: enrolment });
  const runner = createClient(apiEndpoints, { baseUrl: url, token: enrolled.token });
  const job = (await runner.postRunnerClaim({ body: { waitSeconds: 25 } })).job!;
  assert.equal(job.jobId, lastJobId);
  const held = createClient(apiEndpoints, { baseUrl: url, token: job.token });
  const params = { jobId: job.jobId };
  const holding = new AbortController();
  followed.push(holding);
  const beat = () => held.postRunnerJobHeartbeat({ params, body: { waitMs: 0 } }).catch(() => {});
  const beating = setInterval(() => void beat(), 3000);
  holding.signal.addEventListener('abort', () => clearInterval(beating));
  let first = 0;
  return {
    params: { projectId, jobId: job.jobId },
    async log(message: string) {
      const entries = [{ at: new Date().toISOString(), level: 'info' as const, message }];
      await held.postRunnerJobLog({ params, body: { first: first++, entries } });
    },
    fail() {
      holding.abort();
      return held.postRunnerJobFail({ params, body: { code: 'crashed', message: 'End', warnings: [] } });
    },
  };
}

test('a follower receives every change and log line once and in order, despite cut connections and killed services', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-events-'));
  const postgres = await startPreparedPostgres(join(folder, 'postgres'));
  const env = {
    DATABASE_URL: postgres.url,
    PLATEN_STORAGE: `file:${join(folder, 'objects')}`,
    PLATEN_RUNNERS: '0',
    PLATEN_INSPECT_UPLOADS: 'off',
    PLATEN_ENROLMENT_TOKEN: enrolmentToken,
  };
  const steady = await runService({ env });
  let mortal = await runService({ env });
  const balancer = await startBalancer();
  try {
    const body = { name: 'P', description: '', bbox: [0, 0, 1, 1] };
    const project = await steady.client.postProject({ body });
    const params = { projectId: project._id };
    const job = await runningJob(steady, project._id, project.defaultDataBucketId);
    const follower = createClient(apiEndpoints, { baseUrl: balancer.url, token: steady.token });
    balancer.leadTo(mortal);
    const modules = hear(
      (signal) => follower.getProjectEvents({ params, signal }),
      ({ event, data }) =>
        event === 'change' && (data as ProjectEvent).type === 'module'
          ? (data as ProjectEvent)._id
          : undefined,
    );
    const lines = hear(
      (signal) => follower.getProjectJobEvents({ params: job.params, signal }),
      ({ event, data }) => (event === 'log' ? (data as JobLogEntry).message : undefined),
    );
    await modules.began();
    await lines.began();

    const fault = async (round: number) => {
      await sleep(50 + round * 30);
      if (round % 3 === 0) return balancer.cut();
      if (round % 3 === 1) {
        // the replica that is followed dies, and the other one takes over
        balancer.leadTo(steady);
        await end(mortal.child, 'SIGKILL');
        return mortal.stop();
      }
      mortal = await runService({ env });
      balancer.leadTo(mortal);
      balancer.cut();
    };
    const made: string[] = [];
    const written: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const happening = fault(round);
      for (let i = 0; i < changesInRound; i++) {
        const name = `${round}.${i}`;
        made.push((await steady.client.postProjectModule({ params, body: { name } }))._id);
        written.push(name);
        await job.log(name);
      }
      await happening;
    }
    await modules.has(made.length);
    await lines.has(written.length);
    await job.fail();
    await lines.reading; // the end of the job is the end of the stream
    await sleep(700); // time for further events, which must not come
    await modules.stop();
    assert.deepEqual(modules.received, made);
    assert.deepEqual(lines.received.slice(0, written.length), written);
    assert.equal(modules.names.filter((name) => name === 'ready').length, 1, 'it came back to where it was');
    assert.equal(modules.names.includes('reset'), false);
    assert.equal(lines.names.at(-1), 'end');
  } finally {
    for (const stopping of followed) stopping.abort();
    await balancer.close();
    await steady.stop();
    await mortal.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
