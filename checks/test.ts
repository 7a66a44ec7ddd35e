// npm test: runs every room's tests on the embedded PostgreSQL. In CI, and if SQL has changed since main, it runs those
// beside SQL also on a PostgreSQL server of this machine; in CI, and if their subject has changed, those of
// costly-tests.ts. `npm test -- <path>…` runs the tests of these files and folders, `npm test -- --changed[=<ref>]` those
// that the changes since main (or that ref) can reach, both only on the embedded one.
import { buildJobCode } from '../runner/job-code/job-code.ts';
import { bundleIfMissing } from '../server/base/packages/packages.ts';
import { buildIfStale } from '../web/build/build.ts';
import { changedFiles, reachOf } from './changed-files.ts';
import { codeCacheFolder } from './code-cache.ts';
import {
  environmentWithout,
  subjectOf,
  type Subject,
  unchangedSubjects,
  whyLeftOut,
} from './costly-tests.ts';
import { withMemoryFolder } from './memory-folder.ts';
import { findPostgres, startPostgresServer } from './postgres-server.ts';
import { readSourceGraph, type SourceGraph } from './source-graph.ts';
import { holdSql, testFilesOfSql, testFiles } from './test-files.ts';
import { groupOfSql, groupsOf, slots } from './test-groups.ts';
import { TestPool, type TestGroup } from './test-pool.ts';
import { TestResults } from './test-report.ts';
import { withEmbeddedPostgres, withPreparedDatabase, withTestDatabases } from './testing-postgres.ts';

const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('--'));
const changedWord = words.find((word) => /^--changed(=|$)/.test(word));
const isCi = process.env['CI'] === 'true';
const isWhole = chosen.length === 0 && changedWord === undefined;
const results = new TestResults();
let pool: TestPool | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    results.fail('The run was stopped.');
    pool?.stop(signal);
  });
}

await Promise.all([buildIfStale(say), buildJobCode(), bundleIfMissing()]);
if (process.env['TMPDIR']) await main();
else
  await withMemoryFolder((folder) => {
    if (folder !== undefined) process.env['TMPDIR'] = folder;
    return main();
  });
process.stdout.write(results.summary());
process.exitCode = results.isPassed ? 0 : 1;

async function main(): Promise<void> {
  const { PLATEN_TEST_DATABASE_URL: givenUrl, ...inherited } = process.env;
  // Tests, services and threads share compiled code.
  const unchanged = isWhole && !isCi ? unchangedSubjects(changedFiles()) : [];
  const env = { NODE_COMPILE_CACHE: codeCacheFolder(), ...inherited, ...environmentWithout(unchanged) };
  const graph = readSourceGraph();
  const files = isWhole ? filesOfSuite(unchanged) : filesChosen(graph);
  const withoutTests = chosen.filter((place) => testFiles([place]).length === 0);
  if (withoutTests.length > 0) return results.fail(`There are no tests in ${withoutTests.join(', ')}.`);
  say(`${files.length} test files of ${chosen.join(', ') || 'all rooms'}, on the embedded PostgreSQL`);
  await withFirstDatabases(files, graph, async (databases) => {
    const groups = groupsOf(files, graph, { ...env, ...databases });
    await (isWhole ? runWholeSuite(groups, testFilesOfSql(graph), env, givenUrl) : run(groups));
  });
}

/** All, without costly tests whose subject is unchanged. */
function filesOfSuite(unchanged: readonly Subject[]): readonly string[] {
  const subjects = Map.groupBy(testFiles([]), subjectOf);
  for (const subject of unchanged) {
    const { length } = subjects.get(subject) ?? [];
    if (length > 0) results.skip(`${length} files with ${whyLeftOut(subject)}`);
    subjects.delete(subject);
  }
  if (unchanged.length > 0)
    say(
      `Without the tests of ${unchanged.join(', ')}: nothing that they test has changed. CI=true runs them.`,
    );
  return [...subjects.values()].flat().toSorted();
}

function filesChosen(graph: SourceGraph): readonly string[] {
  return changedWord === undefined ? testFiles(chosen) : filesReached(graph, changedWord.split('=')[1]);
}

function filesReached(graph: SourceGraph, ref: string | undefined): readonly string[] {
  const changed = changedFiles(ref);
  const { tests, hubs } = reachOf(changed, graph, testFiles(chosen));
  say(`${changed.length} changed files reach ${tests.length} of ${testFiles(chosen).length} test files`);
  if (hubs.length > 0) say(`What is behind ${hubs.join(', ')} is left to the whole suite.`);
  return tests;
}

/** Those that the chosen tests need, on the embedded PostgreSQL. */
function withFirstDatabases(
  files: readonly string[],
  graph: SourceGraph,
  work: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const needs = (...helpers: string[]) => {
    const users = graph.reachedFrom(helpers);
    return files.some((file) => users.has(file));
  };
  const withServer = (more: Readonly<Record<string, string>>) =>
    needs('server/testing.ts', 'checks/testing-guides.ts')
      ? withEmbeddedPostgres((url) => withTestDatabases(url, (databases) => work({ ...more, ...databases })))
      : work(more);
  return needs('e2e/testing-prepared.ts') ? withPreparedDatabase(withServer) : withServer({});
}

async function runWholeSuite(
  groups: readonly TestGroup[],
  filesOfSql: readonly string[],
  env: NodeJS.ProcessEnv,
  givenUrl: string | undefined,
): Promise<void> {
  const onServer = (url: string, name: string) =>
    withTestDatabases(url, async (databases) => {
      say(`${filesOfSql.length} test files beside SQL once more, on ${name}`);
      await run([...groups, groupOfSql(filesOfSql, name, { ...env, ...databases })]);
    });
  if (givenUrl) return onServer(givenUrl, 'the PostgreSQL of PLATEN_TEST_DATABASE_URL');
  if (!isCi && !holdSql(changedFiles())) {
    say('Once only: no SQL has changed. CI=true runs the tests beside SQL also on a second PostgreSQL.');
    return run(groups);
  }
  const bin = findPostgres();
  if (!bin) {
    const how = 'apt-get install postgresql, or set PLATEN_TEST_DATABASE_URL to one of your own';
    results.skip(`the second run of the tests beside SQL, as this machine has no PostgreSQL (${how})`);
    return run(groups);
  }
  const server = await startPostgresServer(bin);
  try {
    await onServer(server.url, server.version);
  } finally {
    await server.stop();
  }
}

async function run(groups: readonly TestGroup[]): Promise<void> {
  const total = groups.reduce((sum, { files }) => sum + files.length, 0);
  const startedAt = performance.now();
  let done = 0;
  pool = new TestPool(groups, (report, group) => {
    done++;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`[${done}/${total} ${seconds} s ${group.name}] ${results.add(report, group.name)}`);
  });
  await pool.run(slots);
  if (done < total) results.fail(`${total - done} of ${total} test files did not run.`);
}

function say(line: string): void {
  process.stdout.write(`\n▶▶ ${line}\n\n`);
}
