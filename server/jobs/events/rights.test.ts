import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectEvent } from '@platen/contract/events';
import { sql } from 'kysely';
import { projectWithCities, tilingTask } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';
import { openListeners, type Listener } from './listeners.ts';
import { hear, listening, openReply } from './testing.ts';

let offsetMs = 0;
const service = await startService({ now: () => new Date(Date.now() + offsetMs) });
const { admin, adminToken, user, context } = service;
const { url, as } = await listening(service);
/** Before the rights are looked at anyway, five seconds after the last time: what ends them is the notification. */
const maxDelayMs = 3000;
const endsWithinMs = 10_000;
/** By then all has been told, and looked at, that came of the preparations. */
const settledMs = 1000;

interface ReceivedEvent {
  readonly event: string;
  readonly data: object;
}

const pathsOf = ({ projectId, jobId }: { projectId: string; jobId: string }) => [
  `${url}/api/v1/project/${projectId}/events`,
  `${url}/api/v1/project/${projectId}/job/${jobId}/events`,
];

async function projectWithJob() {
  const { projectId, bucketId } = await projectWithCities(service);
  const task = await admin.postProjectTask({ params: { projectId }, body: tilingTask(bucketId) });
  return { projectId, jobId: task.lastJobId! };
}

/** A manager with both streams open. */
async function manager() {
  const params = await projectWithJob();
  const { id: userId, token } = await user(`of ${params.projectId}`);
  await admin.putProjectUser({
    params: { ...params, userId },
    body: { roleId: 'projectManager' },
  });
  const headers = { authorization: `Bearer ${token}` };
  const replies = await Promise.all(pathsOf(params).map((path) => openReply(path, headers)));
  for (const reply of replies) await once(reply, 'data');
  return { params, userId, token, client: as(token), headers, replies };
}

async function untilClosed(reply: IncomingMessage): Promise<void> {
  reply.resume();
  if (!reply.closed) await new Promise((resolve) => reply.once('close', resolve)); // `once` throws where it is cut off
}

type Manager = Awaited<ReturnType<typeof manager>>;

interface Loss {
  readonly lose: (who: Manager) => Promise<unknown>;
  readonly status: number;
  /** Nobody is notified of it. */
  readonly isUnannounced?: boolean;
}

const losses: Readonly<Record<string, Loss>> = {
  'signing out': { lose: ({ client }) => client.getLogout(), status: 401 },
  'a removal from the project': {
    lose: ({ params, userId }) => admin.deleteProjectUser({ params: { ...params, userId } }),
    status: 404,
  },
  'a deactivation': {
    lose: ({ userId }) => admin.putUserActive({ params: { userId }, body: { isActive: false } }),
    status: 401,
  },
  'the deletion of the project': { lose: ({ params }) => admin.deleteProject({ params }), status: 404 },
  'the end of the token’s time': {
    lose: async () => {
      offsetMs = 25 * 3_600_000;
    },
    status: 401,
    isUnannounced: true,
  },
};

for (const [what, { lose, status, isUnannounced = false }] of Object.entries(losses)) {
  test(`${what} ends all streams at once`, async (t) => {
    const who = await manager();
    await sleep(settledMs);
    assert.deepEqual(
      who.replies.map(({ closed }) => closed),
      [false, false],
    );
    await lose(who);
    const start = performance.now();
    await Promise.all(who.replies.map(untilClosed));
    const took = performance.now() - start;
    for (const path of pathsOf(who.params))
      assert.equal((await fetch(path, { headers: who.headers })).status, status);
    offsetMs = 0;
    t.diagnostic(`ended after ${took.toFixed(0)} ms`);
    assert.ok(took < (isUnannounced ? endsWithinMs : maxDelayMs), `${took} ms`);
  });
}

test('a new member receives events of the project, but not of jobs', async (t) => {
  const { params, userId, replies, client } = await manager();
  const heard = hear<ReceivedEvent>((signal) => client.getProjectEvents({ params, signal }));
  await heard.until((events) => events.length > 0, 'it begins');
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  const start = performance.now();
  await untilClosed(replies[1]!);
  const took = performance.now() - start;
  t.diagnostic(`ended after ${took.toFixed(0)} ms`);
  assert.ok(took < maxDelayMs, `${took} ms`);
  await admin.putProjectJobAbort({ params });
  await admin.postProjectModule({ params, body: { name: 'M' } });
  const typesOf = (events: readonly ReceivedEvent[]) => events.map(({ data }) => (data as ProjectEvent).type);
  await heard.until((events) => typesOf(events).includes('module'), 'the module');
  assert.deepEqual(typesOf(heard.events).slice(1), ['member', 'module']);
  assert.equal(replies[0]!.closed, false);
  heard.stop();
});

test('no event is sent to users who have lost the permission, even without a notification', async () => {
  const { params, userId, client } = await manager();
  const heard = hear<ReceivedEvent>((signal) => client.getProjectEvents({ params, signal }));
  await heard.until((events) => events.length > 0, 'it begins');
  await sleep(settledMs);
  await context.db.transaction().execute(async (tx) => {
    await sql`delete from membership where user_id = ${userId}`.execute(tx);
    await sql`update data_bucket set revision = revision + 1 where project_id = ${params.projectId}`.execute(
      tx,
    );
  });
  await heard.ended();
  assert.deepEqual(
    heard.events.map(({ event }) => event),
    ['ready'],
  );
});

/** Waits until nothing more fits on the way to the client. */
async function untilFull(response: ServerResponse): Promise<void> {
  for (let before = -1, now = 0; now > before || !response.writableNeedDrain;) {
    await sleep(300);
    [before, now] = [now, response.socket!.bytesWritten];
  }
}

test('a client that does not read is disconnected as well', async () => {
  const { params, client, headers } = await manager();
  await sql`insert into job_log (job_id, seq, at, level, message)
    select ${params.jobId}, n, now(), 'info', repeat('a line of a log ', 64) from generate_series(1, 50000) n`.execute(
    context.db,
  );
  await sql`update job set log_seq = 50000 where id = ${params.jobId}`.execute(context.db);
  let sent: ServerResponse | undefined;
  service.app.server.once('request', (_, response: ServerResponse) => {
    sent = response;
  });
  const reply = await openReply(pathsOf(params)[1]!, headers);
  reply.pause();
  await untilFull(sent!);
  const cutOff = once(sent!, 'close', { signal: AbortSignal.timeout(endsWithinMs) });
  await client.getLogout();
  await cutOff;
  let bytes = 0;
  reply.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await untilClosed(reply);
  assert.ok(bytes < 20_000_000, `${bytes} bytes of more than 50 million`);
  assert.equal(reply.complete, false);
});

test('a browser connects with the cookie of its session, and the page of another site does not', async () => {
  const params = await projectWithJob();
  const signIn = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username: 'admin', password: 'correct horse battery' }),
  });
  const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!;
  for (const path of pathsOf(params)) {
    const own = await openReply(path, { cookie, 'sec-fetch-site': 'same-origin' });
    assert.equal(own.statusCode, 200);
    own.destroy();
    const foreign = await openReply(path, { cookie, 'sec-fetch-site': 'cross-site' });
    assert.equal(foreign.statusCode, 401);
  }
});

test('users who are not members receive nothing', async () => {
  const params = await projectWithJob();
  const { token } = await user('outsider');
  for (const path of pathsOf(params)) {
    assert.equal((await fetch(path)).status, 401);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(path, { headers })).status, 404);
  }
});

test('a user has 50 streams, and room for another as soon as one has ended', async () => {
  const params = await projectWithJob();
  const { id: userId, token } = await user('eager');
  await admin.putProjectUser({ params: { ...params, userId }, body: { roleId: 'projectMember' } });
  const headers = { authorization: `Bearer ${token}` };
  const [path] = pathsOf(params) as [string, string];
  const open = await Promise.all(Array.from({ length: 50 }, () => openReply(path, headers)));
  assert.ok(open.every(({ statusCode }) => statusCode === 200));
  const refused = await fetch(path, { headers });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const others = await openReply(path, { authorization: `Bearer ${adminToken}` });
  assert.equal(others.statusCode, 200);
  open[0]!.destroy();
  for (let status = 429; status !== 200; await sleep(20)) {
    const reply = await openReply(path, headers);
    status = reply.statusCode!;
  }
  for (const reply of open) reply.destroy();
});

test('the streams of a network are limited, of whomever they are', () => {
  const limits = { ofUser: 5, ofAddress: 2, inAll: 10 };
  const listeners = openListeners(context, async () => new Set(), limits);
  const listenerAt = (userId: string, address: string) =>
    ({ caller: { userId, address }, end: () => {} }) as unknown as Listener;
  const first = listenerAt('a', '2001:db8::1');
  listeners.add(first);
  listeners.add(listenerAt('b', '2001:db8::2'));
  assert.throws(() => listeners.add(listenerAt('c', '2001:db8::3')), { code: 'too_many_requests' });
  listeners.add(listenerAt('c', '192.0.2.1'));
  listeners.remove(first);
  listeners.add(listenerAt('c', '2001:db8::3'));
  listeners.close();
});

test('the total number of streams is limited', () => {
  const limits = { ofUser: 5, ofAddress: 5, inAll: 2 };
  const listeners = openListeners(context, async () => new Set(), limits);
  const listenerOf = (userId: string) =>
    ({ caller: { userId, address: '192.0.2.1' }, end: () => {} }) as unknown as Listener;
  const first = listenerOf('a');
  listeners.add(first);
  listeners.add(listenerOf('b'));
  assert.throws(() => listeners.add(listenerOf('c')), { code: 'too_many_requests' });
  listeners.remove(first);
  listeners.add(listenerOf('c'));
  listeners.close();
});

test('a shutdown ends all streams at once', async (t) => {
  const { replies } = await manager();
  const start = performance.now();
  await Promise.all([service.app.close(), ...replies.map(untilClosed)]);
  const took = performance.now() - start;
  t.diagnostic(`ended after ${took.toFixed(0)} ms`);
  assert.ok(took < endsWithinMs, `${took} ms`);
});
