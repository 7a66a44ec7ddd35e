import { readFileSync } from 'node:fs';
import type { TestGroup } from './test-pool.ts';

/** The beginning of a comment by which a test file asks for a process of its own; the rest of it says why. */
const ownProcess = /^\/\/ Needs a process of its own: /m;

/** Those of the rooms whose tests start services and browsers, which share one of each. */
const roomsOfServices = ['e2e/', 'examples/', 'web/components.test.ts'];

/** The test files, by what may share a process; the longest come first. */
export function groupsOf(files: readonly string[], env: NodeJS.ProcessEnv): TestGroup[] {
  const alone = new Set(files.filter((file) => ownProcess.test(readFileSync(file, 'utf8'))));
  const company = files.filter((file) => !alone.has(file));
  const isOfServices = (file: string) => roomsOfServices.some((room) => file.startsWith(room));
  return [
    {
      name: 'services',
      files: company.filter(isOfServices),
      env,
      maxWorkers: 1,
      filesPerWorker: Infinity,
    },
    { name: 'alone', files: [...alone], env, maxWorkers: 2, filesPerWorker: 1 },
    {
      name: 'rooms',
      files: company.filter((file) => !isOfServices(file)),
      env,
      maxWorkers: 3,
      filesPerWorker: 50,
    },
  ];
}

/** Files that run a second time, on another server. */
export function groupOfSql(files: readonly string[], name: string, env: NodeJS.ProcessEnv): TestGroup {
  // the whole number of fuzzed requests is sent on the embedded server: here it is another database that is tested
  return { name, files, env: { PLATEN_FUZZ_REQUESTS: '2000', ...env }, maxWorkers: 3, filesPerWorker: 50 };
}
