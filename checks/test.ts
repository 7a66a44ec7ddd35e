// npm test: every room's tests on the embedded PostgreSQL, then those of statements on a PostgreSQL server of this machine.
// `npm test -- <path>…` runs the tests of these files and folders, on the embedded one only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildIfStale } from '../web/build/build.ts';
import { withMemoryFolder } from './memory-folder.ts';
import { findPostgres, startPostgresServer, type PostgresServer } from './postgres-server.ts';
import { testFiles } from './test-files.ts';
import { withEmbeddedPostgres, withTestDatabases } from './testing-postgres.ts';

// What one process has compiled, all that follow need not, be it a test, a service or a thread.
const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');
const chosen = process.argv.slice(2);

/** Where SQL is more than to find rows by their ids: there another version, and other collations, may make a difference. */
const roomsOfStatements = [
  'base/database',
  'files/objects',
  'files/revisions',
  'files/usage',
  'files/used-by',
  'http/fuzz',
  'identity/iam',
  'identity/users',
  'jobs',
  'apps/releases',
  'project',
].map((room) => `server/${room}`);

/** More files than this do not fail by chance. */
const mostUnsteady = 3;

let current: { kill(signal: NodeJS.Signals): boolean } | undefined;
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true;
    current?.kill(signal);
  });
}

await buildIfStale(say);
process.exitCode = process.env['TMPDIR']
  ? await main()
  : await withMemoryFolder((folder) => {
      if (folder !== undefined) process.env['TMPDIR'] = folder;
      return main();
    });

async function main(): Promise<number> {
  const { PLATEN_TEST_DATABASE_URL: givenUrl, ...env } = process.env;
  say(`tests of ${chosen.join(', ') || 'all rooms'}, on the embedded PostgreSQL`);
  // a server that is started once spares each test file the seconds that its own would take
  const failure =
    chosen.length > 0
      ? await runTests(testFiles(chosen), env)
      : await withEmbeddedPostgres((url) => runTestsOn(url, testFiles([]), env));
  // The closing lines of a failed run stay the last ones.
  if (failure || chosen.length > 0) return failure;

  const files = roomsOfStatements.flatMap(filesForServer);
  if (givenUrl) {
    say('tests of server, on the PostgreSQL of PLATEN_TEST_DATABASE_URL');
    return await runTestsOn(givenUrl, files, env);
  }
  const bin = findPostgres();
  if (!bin) {
    const how = 'apt-get install postgresql, or set PLATEN_TEST_DATABASE_URL to one of your own';
    say(`SKIPPED: the tests of statements on a PostgreSQL server, as this machine has none (${how})`);
    return env['CI'] === 'true' ? 1 : 0;
  }
  return await onServer(await startPostgresServer(bin), files, env);
}

/** All but those of the embedded server, which have one of their own. */
function filesForServer(room: string): string[] {
  const files = testFiles([room]);
  if (files.length === 0) throw new Error(`There are no tests in ${room}: is that its name?`);
  return files.filter((file) => !file.startsWith('server/base/database/embedded/'));
}

async function onServer(server: PostgresServer, files: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    say(`tests of server, on ${server.version}`);
    // the whole number of fuzzed requests has been made on the embedded one: here it is another database that is tested
    return await runTestsOn(server.url, files, { PLATEN_FUZZ_REQUESTS: '2000', ...env });
  } finally {
    await server.stop();
  }
}

function runTestsOn(url: string, files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return withTestDatabases(url, (databases) => runTests(files, { ...env, ...databases }));
}

/**
 * Runs them three at a time. Files in which a test failed are run once more, one by one: what fails with the clock of a
 * crowded machine only is told and passes, what fails alone, too, or in many files at once, fails.
 */
async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (files.length === 0) {
    say('There are no such tests.');
    return 1;
  }
  const list = join(tmpdir(), `failed-tests-${process.pid}.txt`);
  try {
    // Three on two cores: most of a test's time is waiting for a database, a disk or a clock.
    const failure = await spawnTests(files, 3, list, env);
    const failed = new Set((await readFile(list, 'utf8')).split('\n').filter(Boolean));
    if (failure === 0 || isStopped || failed.size === 0 || failed.size > mostUnsteady) return failure;
    const names = [...failed].map((file) => relative(process.cwd(), file)).join(', ');
    say(`FAILED: see above. Once more, alone: ${names}`);
    const again = await spawnTests([...failed], 1, list, env);
    if (again === 0)
      say(`UNSTEADY: failed among others and passed alone, which is a mistake to be found: ${names}`);
    return again;
  } finally {
    await rm(list, { force: true });
  }
}

async function spawnTests(
  files: readonly string[],
  concurrency: number,
  list: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const flags = [
    '--test',
    `--test-concurrency=${concurrency}`,
    '--test-timeout=900000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${import.meta.resolve('./failed-files.ts')}`,
    `--test-reporter-destination=${list}`,
  ];
  const tests = spawn(process.execPath, [...flags, ...files], {
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  current = tests;
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}

function say(line: string): void {
  process.stdout.write(`\n▶▶ ${line}\n\n`);
}
