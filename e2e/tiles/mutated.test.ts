import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { end } from '../processes.ts';
import type { Mutant, Outcome } from './testing-mutant-runner.ts';
import { mutate } from './testing-mutations.ts';
import { smallFiles } from './testing-small-files.ts';

/** For each format; `npm run torture` takes more. */
const mutants = Number(process.env['PLATEN_MUTANTS'] ?? 200);
const firstSeed = Number(process.env['PLATEN_MUTANT_SEED'] ?? 1);
const longestMs = 10_000;
const mostMegabytes = 900;
/** The tiler does not read these yet. */
const notYet = new Set(['topojson', 'fgb', 'csv', 'kml', 'gml', 'gpx', 'gpkg']);

const root = await mkdtemp(join(tmpdir(), 'platen-mutants-'));
let child: ChildProcess | undefined;
after(async () => {
  if (child) await end(child, 'SIGKILL');
  await rm(root, { recursive: true, force: true });
});

for (const { name, make } of smallFiles) {
  const format = name.split('.')[1]!;
  const skip = notYet.has(format) && `SKIPPED: the tiler does not read .${format} yet`;
  test(
    `${mutants} mutants of a .${format} file become tiles or fail with a reason`,
    { skip, timeout: 7_200_000 },
    async (t) => {
      const original = Buffer.from(make());
      const { outcome } = await run(name, original);
      assert.equal(outcome, 'succeeded', 'the file as it was');
      const counts = new Map<string, number>();
      const wrong: string[] = [];
      let peak = 0;
      for (let seed = firstSeed; seed < firstSeed + mutants; seed++) {
        const { outcome: how, peakMegabytes } = await run(name, mutate(original, seed));
        peak = Math.max(peak, peakMegabytes);
        counts.set(how, (counts.get(how) ?? 0) + 1);
        if (how !== 'succeeded' && !how.startsWith('failed:')) wrong.push(`seed ${seed}: ${how}`);
      }
      t.diagnostic(
        `peak ${peak.toFixed(0)} MB; ${[...counts].map(([how, count]) => `${how} ${count}`).join(', ')}`,
      );
      assert.deepEqual(wrong, []);
      assert.ok(peak < mostMegabytes, `${peak} MB`);
    },
  );
}

/** Runs a file in the process of mutants; in a new one when the last has crashed or hung. */
async function run(name: string, bytes: Buffer): Promise<Outcome> {
  const path = join(root, name);
  await writeFile(path, bytes);
  if (!child || child.exitCode !== null || child.signalCode !== null) {
    const program = join(import.meta.dirname, 'testing-mutant-runner.ts');
    child = fork(program, [], {
      execArgv: ['--max-old-space-size=512'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }
  const running = child;
  const folder = join(root, 'run');
  const outcome = await new Promise<Outcome>((resolve) => {
    const settle = (how: Outcome) => {
      clearTimeout(timer);
      running.removeAllListeners();
      resolve(how);
    };
    const fail = (how: string) => settle({ outcome: how, peakMegabytes: 0 });
    const timer = setTimeout(() => fail(`hangs for more than ${longestMs} ms`), longestMs);
    running.once('message', (message) => settle(message as Outcome));
    running.once('exit', (code, signal) => fail(`crashes with ${signal ?? code}`));
    running.send({ path, folder } satisfies Mutant);
  });
  if (/^(hangs|crashes)/.test(outcome.outcome)) {
    await end(running, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
  return outcome;
}
