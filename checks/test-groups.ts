import { readFileSync } from 'node:fs';
import type { SourceGraph } from './source-graph.ts';
import type { TestGroup } from './test-pool.ts';

/** Five on two cores: much of a test's time is waiting for a database, a disk or a clock. */
export const slots = 5;
const secondsInRooms = 2.5;

/** The beginning of a comment by which a test file asks for a process of its own; the rest of it says why. */
const ownProcess = /^\/\/ Needs a process of its own: /m;

/** The module that starts service processes, and the one that shares a service among test files. */
const startsService = 'e2e/processes.ts';
const sharesService = 'e2e/testing-shared.ts';

/** The file that takes longest by far, a third of the time of the whole suite in CI, and others that take long. */
const slowest = /\/fuzz\//;
const longJourneys = /^e2e\/(private-app|web\/(journeys|hostile))\./;
const longRooms = /^(checks|storage|processing|runner)\//;

/**
 * The test files, by what may share a process; those that take longest come first, so that no worker is busy with one
 * when the others are done.
 */
export function groupsOf(files: readonly string[], graph: SourceGraph, env: NodeJS.ProcessEnv): TestGroup[] {
  const alone = new Set(files.filter((file) => ownProcess.test(readFileSync(file, 'utf8'))));
  const sharing = graph.reachedFrom([sharesService]);
  const starting = graph.reachedFrom([startsService]);
  const kindOf = (file: string) => {
    if (alone.has(file)) return 'alone';
    if (sharing.has(file)) return 'one service';
    return starting.has(file) ? 'own services' : 'rooms';
  };
  const rankOf = (file: string) => {
    if (slowest.test(file)) return 0;
    return longRooms.test(file) || longJourneys.test(file) ? 1 : 2;
  };
  const group = (name: ReturnType<typeof kindOf>, options: Omit<TestGroup, 'name' | 'files' | 'env'>) => ({
    name,
    files: files.filter((file) => kindOf(file) === name).toSorted((a, b) => rankOf(a) - rankOf(b)),
    env,
    ...options,
  });
  return [
    group('one service', { maxWorkers: 2, filesPerWorker: Infinity, secondsPerFile: 22 }),
    group('own services', { maxWorkers: 2, filesPerWorker: Infinity, secondsPerFile: 22 }),
    group('rooms', { maxWorkers: slots, filesPerWorker: 50, secondsPerFile: secondsInRooms }),
    group('alone', { maxWorkers: 2, filesPerWorker: 1, secondsPerFile: secondsInRooms }),
  ];
}

/** Files that run a second time, on another server. */
export function groupOfSql(files: readonly string[], name: string, env: NodeJS.ProcessEnv): TestGroup {
  // the whole numbers are sent and queued on the embedded server: here it is another database that is tested
  const withFew = { ...env, PLATEN_FUZZ_REQUESTS: '1000', PLATEN_QUEUE_JOBS: '300' };
  const options = { maxWorkers: 3, filesPerWorker: 50, secondsPerFile: secondsInRooms };
  return { name, files, env: withFew, ...options };
}
