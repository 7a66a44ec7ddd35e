// npm run torture: the fault tests of CI at the length that finds rare faults, in about half an hour on two quiet cores.
// PLATEN_TORTURE_FACTOR=10 makes it ten times as long, `npm run torture -- <path>…` runs some of the files only. A failure
// stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const factor = Number(process.env['PLATEN_TORTURE_FACTOR'] ?? 1);

interface Run {
  /** Or a folder of tests. */
  readonly file: string;
  /** With a factor of 1. */
  readonly rounds?: number;
  /** Counts with a factor of 1, by environment variable. */
  readonly counts?: Readonly<Record<string, number>>;
}

const runs: readonly Run[] = [
  // 100,000 requests, each round with a seed of its own
  { file: 'server/http/fuzz/fuzz.test.ts', rounds: 5, counts: { PLATEN_FUZZ_REQUESTS: 20_000 } },
  { file: 'e2e/kill-upload.test.ts', counts: { PLATEN_UPLOAD_KILLS: 100 } },
  { file: 'runner/runner.test.ts', counts: { PLATEN_RUNNER_KILLS: 30 } },
  { file: 'e2e/power-cut.test.ts', counts: { PLATEN_POWER_CUTS: 30 } },
  { file: 'e2e/full-wal.test.ts', rounds: 10 },
  { file: 'e2e/s3-replicas.test.ts', counts: { PLATEN_REPLICA_KILLS: 50 } },
  { file: 'e2e/job-faults.test.ts', counts: { PLATEN_FAULT_JOBS: 60 } },
  {
    file: 'e2e/many-outputs.test.ts',
    counts: { PLATEN_OUTPUT_KILLS: 10, PLATEN_OUTPUT_POINTS: 40_000 },
  },
  { file: 'e2e/resume-job.test.ts', counts: { PLATEN_RESUME_FEATURES: 100_000 } },
  { file: 'e2e/abort.test.ts' },
  { file: 'server/jobs/queue/exactly-once.test.ts', counts: { PLATEN_QUEUE_JOBS: 10_000 } },
  { file: 'e2e/database-restart.test.ts', rounds: 3 },
  { file: 'e2e/web/hostile.test.ts', counts: { PLATEN_DROPPED_FILES: 1000 } },
  { file: 'e2e/tiles/mutated.test.ts', counts: { PLATEN_MUTANTS: 1000 } },
  ...[
    'processing/raster-source/damaged-images',
    'processing/models/damaged-meshes',
    'processing/tiles-terrain/damaged-sheets',
    'processing/tiles-pointcloud/damaged-files',
    'formats/points/points',
    'formats/e57/e57',
  ].map((name) => ({ file: `${name}.test.ts`, counts: { PLATEN_MUTANTS: 5000 } })),
  { file: 'processing/tiles-object/damaged-models.test.ts', counts: { PLATEN_FUZZ_RUNS: 10_000 } },
  ...['formats', 'geo', 'styles'].map((file) => ({ file, counts: { PLATEN_PROPERTY_RUNS: 1000 } })),
];

const paths = process.argv.slice(2);
const chosen = runs.filter(({ file }) => paths.length === 0 || paths.some((path) => file.startsWith(path)));
if (chosen.length === 0) throw new Error(`None of ${paths.join(', ')} is part of torture.`);

const newSeed = () => String(Math.floor(Math.random() * 2 ** 31));
const seconds: string[] = [];
for (const { file, rounds = 1, counts = {} } of chosen) {
  // rounds repeat what has no count, and fuzzed requests, which get a seed of their own in each round
  const times = counts['PLATEN_FUZZ_REQUESTS'] || rounds > 1 ? Math.ceil(rounds * factor) : rounds;
  const share = times === rounds ? factor : 1;
  const env = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, String(Math.ceil(count * share))]),
  );
  const start = performance.now();
  for (let round = 1; round <= times; round++) {
    process.stdout.write(`\n▶▶ ${file}, round ${round} of ${times} ${JSON.stringify(env)}\n`);
    const child = spawn(process.execPath, ['checks/test.ts', file], {
      env: { ...process.env, PLATEN_TEST_FILE_MINUTES: '120', PLATEN_PROPERTY_SEED: newSeed(), ...env },
      stdio: 'inherit',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) process.exit(1);
  }
  seconds.push(`${file}: ${Math.round((performance.now() - start) / 1000)} s`);
}
process.stdout.write(`\n▶▶ all passed\n${seconds.join('\n')}\n`);
