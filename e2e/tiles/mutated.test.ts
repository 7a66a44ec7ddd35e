import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { end } from '../processes.ts';
import type { Mutant, MutantJob, Outcome } from './testing-mutant-runner.ts';
import { mutate } from './testing-mutations.ts';
import { smallFiles, type SmallFile } from './testing-small-files.ts';
import { afterFile } from '../../checks/clean-up.ts';

/** For each format, always the same ones; CI takes 100 and `npm run torture` 1,000. All are read, and of some tiles are made. */
const mutants = Number(process.env['PLATEN_MUTANTS'] ?? 40);
const tilesOfEach = 20;
const firstSeed = Number(process.env['PLATEN_MUTANT_SEED'] ?? 1);
const maxMs = 60_000;
const maxMegabytes = 900;

const root = await mkdtemp(join(tmpdir(), 'platen-mutants-'));
const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(root, 'compiled');
afterFile(() => rm(root, { recursive: true, force: true }));

describe('files that were damaged', { concurrency: 2 }, () => {
  for (const file of smallFiles) {
    const ending = file.name.slice(file.name.indexOf('.'));
    const title = `${mutants} mutants of a ${ending} file become features and tiles, or fail with a reason`;
    test(title, { timeout: 7_200_000 }, async (t) => {
      const runner = await startRunner(file.name);
      try {
        for (const job of ['convert', 'tiles'] as const) {
          const { outcome } = await runner.run(Buffer.from(file.make()), job);
          assert.equal(outcome, 'succeeded', 'the file as it was');
        }
        const counts = new Map<string, number>();
        const wrong: string[] = [];
        let peak = 0;
        const start = performance.now();
        for (let seed = firstSeed; seed < firstSeed + mutants; seed++) {
          const job = seed % tilesOfEach === 0 ? 'tiles' : 'convert';
          const { outcome: how, peakMegabytes } = await runner.run(mutantOf(file, seed), job);
          peak = Math.max(peak, peakMegabytes);
          counts.set(how, (counts.get(how) ?? 0) + 1);
          if (how !== 'succeeded' && !how.startsWith('failed:')) wrong.push(`seed ${seed}: ${how}`);
        }
        const each = (performance.now() - start) / mutants;
        const outcomes = [...counts].map(([how, count]) => `${how} ${count}`).join(', ');
        t.diagnostic(`${ending}: peak ${peak.toFixed(0)} MB; ${each.toFixed(0)} ms each; ${outcomes}`);
        assert.deepEqual(wrong, []);
        assert.ok(peak < maxMegabytes, `${peak} MB`);
      } finally {
        await runner.stop();
      }
    });
  }
});

function mutantOf({ make, members }: SmallFile, seed: number): Buffer {
  if (members === undefined) return mutate(Buffer.from(make()), seed);
  const all = Object.entries(members());
  const [name, content] = all[seed % all.length]!;
  return zipOfFiles({ ...Object.fromEntries(all), [name]: mutate(Buffer.from(content as string), seed) });
}

interface Runner {
  run(bytes: Buffer, job: MutantJob): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Runs one file after the other in a process, and in a new one when the last has crashed or hung. */
async function startRunner(name: string): Promise<Runner> {
  const own = join(root, name.replaceAll('.', '-'));
  await mkdir(own);
  const [path, folder] = [join(own, name), join(own, 'run')];
  let child: ChildProcess | undefined;
  return {
    async run(bytes, job) {
      await writeFile(path, bytes);
      if (!child || child.exitCode !== null || child.signalCode !== null) child = startProcess();
      const outcome = await outcomeOf(child, { path, folder, job });
      if (/^(hangs|crashes)/.test(outcome.outcome)) {
        await end(child, 'SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
      return outcome;
    },
    async stop() {
      if (child) await end(child, 'SIGKILL');
    },
  };
}

function startProcess(): ChildProcess {
  return fork(join(import.meta.dirname, 'testing-mutant-runner.ts'), [], {
    execArgv: ['--max-old-space-size=512'],
    // A run that makes tiles starts a thread, which would otherwise take longer to strip types than to make tiles.
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function outcomeOf(child: ChildProcess, mutant: Mutant): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (how: Outcome) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(how);
    };
    const fail = (how: string) => settle({ outcome: how, peakMegabytes: 0 });
    const timer = setTimeout(() => fail(`hangs for more than ${maxMs} ms`), maxMs);
    child.once('message', (message) => settle(message as Outcome));
    child.once('exit', (code, signal) => fail(`crashes with ${signal ?? code}`));
    child.send(mutant);
  });
}
