// npm run check: what has to hold before each commit, in under a minute. `--without-tests` leaves out the fast tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { testFiles } from './test-files.ts';

interface Step {
  name: string;
  holds: string;
  /** A program of node_modules/.bin, or node itself, and its arguments. */
  command: readonly [string, ...string[]];
}

const fastRooms = ['contract', 'geo', 'formats', 'storage', 'styles', 'egress', 'confinement', 'checks'];
const architecture = 'checks/architecture.test.ts';
/** Checks that take more than a minute each. */
const slow = new Set(['checks/guides.test.ts', 'checks/schema.test.ts']);
const fastTests = testFiles(fastRooms).filter((file) => file !== architecture && !slow.has(file));

/** Most of them use one core. */
const stepsAtOnce = 2;
/** The longest comes first. */
const steps: Step[] = [
  {
    name: 'types web',
    holds: 'vue-tsc agrees',
    command: ['vue-tsc', '--noEmit', '-p', 'web/tsconfig.json'],
  },
  { name: 'format', holds: 'oxfmt would change nothing', command: ['oxfmt', '--check'] },
  { name: 'rooms', holds: 'only allowed imports', command: ['node', '--test', architecture] },
  { name: 'lint', holds: 'oxlint finds nothing', command: ['oxlint', '--type-aware'] },
  { name: 'types', holds: 'TypeScript agrees', command: ['node', 'node_modules/ts7/bin/tsc'] },
  { name: 'knip', holds: 'nothing unused, nothing undeclared', command: ['knip', '--no-progress'] },
  {
    name: 'fast tests',
    holds: `of ${fastRooms.join(', ')}`,
    command: ['node', '--test', '--test-concurrency=2', ...fastTests],
  },
];

process.exitCode = await main(process.argv.includes('--without-tests') ? steps.slice(0, -1) : steps);

async function main(wanted: readonly Step[]): Promise<number> {
  const failed: string[] = [];
  const started = performance.now();
  const waiting = [...wanted];
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { ok, output, seconds } = await runStep(step);
      const line = `  ${step.name.padEnd(10)} ${step.holds} … ${ok ? '✔' : '✖'} ${seconds.toFixed(1)} s\n`;
      process.stdout.write(ok ? line : `${line}\n${output.trimEnd()}\n\n`);
      if (!ok) failed.push(step.name);
    }
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, work));
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const verdict =
    failed.length > 0 ? `✖ failed: ${failed.join(', ')}` : `✔ all ${wanted.length} checks passed`;
  process.stdout.write(`\n${verdict} (${took})\n`);
  return failed.length > 0 ? 1 : 0;
}

async function runStep({
  command: [program, ...args],
}: Step): Promise<{ ok: boolean; output: string; seconds: number }> {
  const started = performance.now();
  // npm puts node_modules/.bin first on the PATH.
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  const output = (await outputs).join('');
  return { ok: code === 0, output, seconds: (performance.now() - started) / 1000 };
}
