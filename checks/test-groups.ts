import { readFileSync } from 'node:fs';
import type { SourceGraph } from './source-graph.ts';
import type { TestGroup } from './test-pool.ts';

/** The beginning of a comment by which a test file asks for a process of its own; the rest of it says why. */
const ownProcess = /^\/\/ Needs a process of its own: /m;

/** The module that starts service processes, and the one that shares a service among test files. */
const startsService = 'e2e/processes.ts';
const sharesService = 'e2e/testing-shared.ts';

/** The file that takes longest by far, a third of the time of the whole suite in CI, and rooms with other long ones. */
const longest = /\/fuzz\//;
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
  const rankOf = (file: string) => (longest.test(file) ? 0 : longRooms.test(file) ? 1 : 2);
  const group = (name: ReturnType<typeof kindOf>, maxWorkers: number, filesPerWorker = Infinity) => ({
    name,
    files: files.filter((file) => kindOf(file) === name).toSorted((a, b) => rankOf(a) - rankOf(b)),
    env,
    maxWorkers,
    filesPerWorker,
  });
  return [group('one service', 2), group('own services', 2), group('rooms', 4, 50), group('alone', 2, 1)];
}

/** Files that run a second time, on another server. */
export function groupOfSql(files: readonly string[], name: string, env: NodeJS.ProcessEnv): TestGroup {
  // the whole number of fuzzed requests is sent on the embedded server: here it is another database that is tested
  return { name, files, env: { ...env, PLATEN_FUZZ_REQUESTS: '2000' }, maxWorkers: 3, filesPerWorker: 50 };
}
