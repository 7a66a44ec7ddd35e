import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiPrefix } from '@platen/contract/endpoint';
import type { ClaimedJob } from '@platen/contract/runner';
import type { BundleFile, BundleTarget } from '@platen/contract/runner-bundle';

export interface TestFile {
  readonly bytes: Uint8Array;
  readonly version: string;
  readonly contentType?: string;
  readonly isEntry?: true;
  /** It is not told before it is read. */
  readonly hidesSize?: true;
}

/** All that a runner asks of the service for one job, over real HTTP; what it told is kept. */
export interface TestService {
  readonly url: string;
  readonly job: ClaimedJob;
  files: Map<string, TestFile>;
  target: BundleTarget;
  gzip: boolean;
  numThreads: number;
  readonly heard: Heard;
  /** Called before a file is answered. */
  beforeFile: (path: string) => Promise<void> | void;
  /** So many times a file breaks off in its middle. */
  breaks: number;
  abort(): void;
  /** Answers what has lost the job. */
  isLost: boolean;
  /** So many times the job is still the runner's when that asks outright; then it is lost. */
  yeses: number;
  stop(): Promise<void>;
}

export interface Heard {
  readonly read: string[];
  readonly log: string[];
  readonly phases: Map<string, { done: number; total: number; unit?: string }>;
  warnings: { code: string; message: string }[];
  /** How it ended, with what was said of it. */
  end: { how: string; body: Record<string, unknown> } | undefined;
  /** All that came, as text. */
  all: string;
}

const pageSize = 100;

export async function startTestService(target: BundleTarget): Promise<TestService> {
  const aborting = Promise.withResolvers<true>();
  const heard: Heard = { read: [], log: [], phases: new Map(), warnings: [], end: undefined, all: '' };
  const job: ClaimedJob = {
    jobId: 'job-1',
    attempt: 1,
    token: 'token-of-the-job',
    jobType: 'platenPublishApp',
    debugLevel: 2,
    options: {},
    inputs: [],
    leaseUntil: new Date().toISOString(),
    timeoutSeconds: 60,
  };
  const answerers: Readonly<Record<string, (asked: TestRequest) => unknown>> = {
    'GET target': () => ({ target: service.target, numThreads: service.numThreads, gzip: service.gzip }),
    'GET bundle': ({ query }) => {
      const from = Number(query.get('cursor') || 0);
      const next = from + pageSize < service.files.size && { next: String(from + pageSize) };
      const page = [...service.files].slice(from, from + pageSize);
      const files = page.map(([path, each]) => fileOf(path, each));
      return { files, ...next };
    },
    'GET bundle-file': ({ query, response }) => answerFile(service, query.get('path')!, response),
    'POST heartbeat': async ({ body, response }) => {
      service.isLost ||= body['waitMs'] === 0 && service.yeses-- <= 0;
      if (service.isLost) return void response.writeHead(409).end('{}');
      const waited = sleep(Math.min(Number(body['waitMs']), 1000), false, { ref: false });
      return { abort: await Promise.race([aborting.promise, waited]), leaseUntil: new Date().toISOString() };
    },
    'POST progress': ({ body }) => {
      for (const phase of (body['phases'] ?? []) as { name: string; done: number; total: number }[])
        heard.phases.set(phase.name, phase);
      if (body['warnings']) heard.warnings = body['warnings'] as Heard['warnings'];
      return {};
    },
    'POST log': ({ body }) => {
      heard.log.push(...(body['entries'] as { message: string }[]).map(({ message }) => message));
      return {};
    },
  };
  for (const how of ['complete', 'fail', 'release'])
    (answerers as Record<string, (asked: TestRequest) => unknown>)[`POST ${how}`] = ({ body }) => {
      heard.end = { how, body };
      return { state: 'succeeded' };
    };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, 'http://localhost');
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Uint8Array>)).toString();
    heard.all += text;
    const name = url.pathname.slice(`${apiPrefix}/runner/job/${job.jobId}/`.length);
    const answerer = answerers[`${request.method} ${name}`];
    if (service.isLost || !answerer) return void response.writeHead(409).end('{}');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const reply = await answerer({ query: url.searchParams, body, response });
    if (reply !== undefined)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: TestService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    job,
    files: new Map(),
    target,
    gzip: false,
    numThreads: 4,
    heard,
    beforeFile: () => {},
    breaks: 0,
    abort: () => aborting.resolve(true),
    isLost: false,
    yeses: Infinity,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

function fileOf(
  path: string,
  { bytes, version, contentType = 'text/plain', isEntry, hidesSize }: TestFile,
): BundleFile {
  const file = { path, version, contentType };
  return { ...file, ...(!hidesSize && { size: bytes.byteLength }), ...(isEntry && { isEntry }) };
}

interface TestRequest {
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  readonly response: ServerResponse;
}

async function answerFile(service: TestService, path: string, response: ServerResponse): Promise<undefined> {
  await service.beforeFile(path);
  const { bytes } = service.files.get(path)!;
  service.heard.read.push(path);
  if (service.breaks > 0) {
    service.breaks--;
    response
      .writeHead(200, { 'content-length': bytes.byteLength })
      .write(bytes.subarray(0, bytes.byteLength >> 1));
    await sleep(50);
    response.destroy();
    return;
  }
  response.end(bytes);
}
