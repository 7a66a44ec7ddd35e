import { clientFor } from '../job-client.ts';
import type { EgressPolicy } from '@platen/egress/policy';
import { openAccess } from '../destinations/testing.ts';
import { runTransfer } from './run-transfer.ts';
import type { TestFile, TestService } from './testing-service.ts';

interface Running {
  readonly publishFolder?: string | undefined;
  readonly egressPolicy?: EgressPolicy;
  readonly shutdown?: AbortSignal;
}

/** Runs the job of the test's service, and clears what was heard of the run before. @returns the lines of the runner's own log */
export async function run(
  service: TestService,
  { publishFolder, egressPolicy = openAccess, shutdown = new AbortController().signal }: Running = {},
): Promise<string[]> {
  const { heard, job, url } = service;
  heard.read.length = 0;
  heard.log.length = 0;
  heard.phases.clear();
  heard.warnings = [];
  heard.end = undefined;
  const lines: string[] = [];
  await runTransfer({
    client: clientFor(url, job.token),
    job,
    runnerName: 'r',
    log: (level, message, data) => lines.push(JSON.stringify({ level, message, ...data })),
    shutdown,
    egressPolicy,
    publishFolder,
  });
  return lines;
}

export function file(text: string, more: Partial<TestFile> = {}): TestFile {
  return { bytes: Buffer.from(text), version: `v-${text.slice(0, 40)}`, ...more };
}

/** A small app: a page, what it needs, and its data. */
export function smallBundle(): Map<string, TestFile> {
  return new Map<string, TestFile>([
    ['index.html', file('<title>one</title>', { contentType: 'text/html', isEntry: true })],
    ['app.json', file('{"n":1}', { contentType: 'application/json', isEntry: true })],
    ['engine/main.js', file('let a = 1;'.repeat(500), { contentType: 'text/javascript' })],
    ['data/a.geojson', file('a'.repeat(5000), { contentType: 'application/geo+json', hidesSize: true })],
    ['data/b.pmtiles', file('b'.repeat(20_000), { contentType: 'application/vnd.pmtiles' })],
  ]);
}
