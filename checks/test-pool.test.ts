import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TestPool } from './test-pool.ts';
import type { FileReport } from './test-report.ts';

const run = promisify(execFile);

test('what the tests of a killed worker have started ends with it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pool-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [file, pidFile] = [join(folder, 'killed.test.ts'), join(folder, 'pid')];
  const code = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(pidFile)}, String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid));
    process.kill(process.pid, 'SIGKILL');`;
  await writeFile(file, code);
  const reports: FileReport[] = [];
  const group = {
    name: 'killed',
    files: [file],
    env: process.env,
    maxWorkers: 1,
    filesPerWorker: 1,
    secondsPerFile: 1,
  };
  await new TestPool([group], (report) => reports.push(report)).run(1);
  assert.match(reports[0]!.text, /ended with SIGKILL before its tests did/);
  const pid = await readFile(pidFile, 'utf8');
  t.after(() => run('kill', ['-9', pid]).catch(() => {}));
  const isAlive = async () => {
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', pid]).catch(() => ({ stdout: '' }));
    return /^[^Z]/.test(stdout.trim()); // nobody may have waited for a zombie yet
  };
  for (let tries = 0; tries < 100 && (await isAlive()); tries++) await sleep(20);
  assert.equal(await isAlive(), false);
});

test('a file without tests fails, and so does one whose tests are reported as those of another', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pool-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const codes = {
    'shared.ts': 'export const shared = { ready: undefined };',
    'first.test.ts': `import { test } from 'node:test'; import { shared } from './shared.ts';
      shared.ready = new Promise((resolve) => setImmediate(resolve)); await shared.ready; test('first', () => {});`,
    'late.test.ts': `import { test } from 'node:test'; import { shared } from './shared.ts';
      await shared.ready; test('late', () => { throw new Error('nobody sees this'); });`,
    'none.test.ts': 'export {};',
  };
  for (const [name, code] of Object.entries(codes)) await writeFile(join(folder, name), code);
  const files = ['first.test.ts', 'late.test.ts', 'none.test.ts'].map((name) => join(folder, name));
  const reports: FileReport[] = [];
  const group = {
    name: 'late',
    files,
    env: process.env,
    maxWorkers: 1,
    filesPerWorker: 3,
    secondsPerFile: 1,
  };
  await new TestPool([group], (report) => reports.push(report)).run(1);
  assert.deepEqual(
    reports.map(({ isPassed }) => isPassed),
    [true, false, false],
  );
  assert.match(reports.at(-1)!.text, /has no tests/);
});
