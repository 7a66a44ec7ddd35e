// npm test: every room's tests on the embedded PostgreSQL, then the server's on a PostgreSQL server of this machine.
// `npm test -- <path>…` runs the tests of these files and folders, on the embedded one only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPostgres, startPostgresServer, type PostgresServer } from './postgres-server.ts';
import { testFiles } from './test-files.ts';

const chosen = process.argv.slice(2);
let current: { kill(signal: NodeJS.Signals): boolean } | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => current?.kill(signal));

process.exitCode = await main();

async function main(): Promise<number> {
  const { PLATEN_TEST_DATABASE_URL: givenUrl, ...env } = process.env;
  say(`tests of ${chosen.join(', ') || 'all rooms'}, on the embedded PostgreSQL`);
  const failure = await runTests(testFiles(chosen), env);
  // The closing lines of a failed run stay the last ones.
  if (failure || chosen.length > 0) return failure;

  const files = testFiles(['server']).filter((file) => !file.startsWith('server/database/embedded/'));
  if (files.length === 0) return 0;
  if (givenUrl) {
    say('tests of server, on the PostgreSQL of PLATEN_TEST_DATABASE_URL');
    return await runTests(files, { ...env, PLATEN_TEST_DATABASE_URL: givenUrl });
  }
  const bin = findPostgres();
  if (!bin) {
    const how = 'apt-get install postgresql, or set PLATEN_TEST_DATABASE_URL to one of your own';
    say(`SKIPPED: the server's tests on a PostgreSQL server, as this machine has none (${how})`);
    return env['CI'] === 'true' ? 1 : 0;
  }
  return await onServer(await startPostgresServer(bin), files, env);
}

async function onServer(server: PostgresServer, files: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    say(`tests of server, on ${server.version}`);
    return await runTests(files, { ...env, PLATEN_TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (files.length === 0) {
    say('There are no such tests.');
    return 1;
  }
  // Two at least: most of a test's time is waiting for a database or a disk.
  const flags = ['--test', '--test-reporter=spec', '--test-concurrency=2', '--test-timeout=900000'];
  const tests = spawn(process.execPath, [...flags, ...files], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  current = tests;
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}

function say(line: string): void {
  process.stdout.write(`\n▶▶ ${line}\n\n`);
}
