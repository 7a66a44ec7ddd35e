import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@platen/client/client';
import { apiEndpoints } from '@platen/contract/api';
import { runService, type RunningService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print, printAtMost } from './report.ts';
import { watchProcess } from './watch-process.ts';

const projectCount = 10;
const listenerCount = Number(process.env['BENCH_LISTENERS'] ?? 500);
const streamsOfUser = 50;
const idleMs = 10_000;
const changes = 100;
const limitMs = 300;

/** 500 who follow ten projects: what they cost while nothing happens, and when they hear of a change. */
export async function benchEvents(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const listeners: Listener[] = [];
  try {
    const projectIds = await makeProjects(service);
    const tokens = await makeUsers(service, projectIds);
    const pid = service.child.pid!;
    await cpuShare(pid); // the service has settled
    const [cpuBefore, memoryBefore] = [await cpuShare(pid), residentKilobytes(pid)];
    for (let i = 0; i < listenerCount; i++) {
      const path = `/api/v1/project/${projectIds[i % projectCount]}/events`;
      listeners.push(await listen(service.port, path, tokens[Math.floor(i / streamsOfUser)]!));
    }
    const [cpuAfter, memoryAfter] = [await cpuShare(pid), residentKilobytes(pid)];
    const each = (memoryAfter - memoryBefore) / listenerCount;
    print(
      `${listenerCount} idle listeners: ${each.toFixed(1)} KiB each, CPU ${percent(cpuBefore)} → ${percent(cpuAfter)}`,
    );
    await measureLatency(service, projectIds, listeners);
  } finally {
    for (const { socket } of listeners) socket.destroy();
    await service.stop();
  }
}

async function measureLatency(
  { client }: RunningService,
  projectIds: readonly string[],
  listeners: readonly Listener[],
): Promise<void> {
  const waits: number[] = [];
  for (let i = 0; i < changes; i++) {
    const projectId = projectIds[i % projectCount]!;
    const { _id } = await client.postProjectModule({ params: { projectId }, body: { name: `M${i}` } });
    const answered = performance.now();
    const concerned = listeners.filter((_, index) => index % projectCount === i % projectCount);
    await Promise.all(concerned.map((listener) => listener.hears(_id)));
    waits.push(...concerned.map(({ heardAt }) => heardAt - answered));
    await sleep(17 * (i % 7)); // at every moment between two looks
  }
  const sorted = waits.toSorted((a, b) => a - b);
  print(
    `from the answer to the change until it is heard, 95 %: ${sorted[Math.floor(sorted.length * 0.95)]!.toFixed(0)} ms`,
  );
  printAtMost('ms until a change is heard, median', median(waits), limitMs);
}

interface Listener {
  readonly socket: Socket;
  heardAt: number;
  hears(text: string): Promise<void>;
}

/** A bare socket: 500 real clients would cost more than what is measured. */
function listen(port: number, path: string, token: string): Promise<Listener> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let expected: { text: string; resolve: () => void } | undefined;
  const listener: Listener = {
    socket,
    heardAt: 0,
    hears: (what) =>
      new Promise((resolve) => {
        expected = { text: what, resolve };
        look();
      }),
  };
  const look = () => {
    if (!expected || !text.includes(expected.text)) return;
    expected.resolve();
    expected = undefined;
    text = '';
  };
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.on('error', reject).on('data', (chunk) => {
      text += chunk.toString('latin1');
      listener.heardAt = performance.now();
      if (text.includes('event: ready')) resolve(listener);
      else if (/^HTTP\/1\.1 [^2]/.test(text)) reject(new Error(text.slice(0, 300)));
      look();
    });
  });
}

async function makeProjects({ client }: RunningService): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < projectCount; i++) {
    const body = { name: `Bench ${i}`, description: '', bbox: [0, 0, 1, 1] };
    ids.push((await client.postProject({ body }))._id);
  }
  return ids;
}

async function makeUsers({ client, url }: RunningService, projectIds: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (let i = 0; i < Math.ceil(listenerCount / streamsOfUser); i++) {
    const credentials = { username: `listener${i}`, password: 'a long password' };
    const { _id: userId } = await client.postUser({ body: credentials });
    for (const projectId of projectIds)
      await client.putProjectUser({ params: { projectId, userId }, body: { roleId: 'projectMember' } });
    const { token } = await createClient(apiEndpoints, { baseUrl: url }).postLogin({ body: credentials });
    tokens.push(token);
  }
  return tokens;
}

/** How much of one core a process takes while nothing happens. */
async function cpuShare(pid: number): Promise<number> {
  const watch = watchProcess(pid);
  await sleep(idleMs);
  const { cpuSeconds, wallSeconds } = watch.stop();
  return cpuSeconds / wallSeconds;
}

function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]);
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
