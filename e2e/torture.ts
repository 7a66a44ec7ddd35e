// npm run torture: the fault tests of CI at the length that finds the rare thing. It takes hours; each failure stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface Run {
  readonly file: string;
  readonly rounds: number;
  readonly env?: Readonly<Record<string, string>>;
}

const runs: readonly Run[] = [
  // 1,000,000 requests, each round with a seed of its own
  { file: 'server/http/fuzz/fuzz.test.ts', rounds: 50, env: { PLATEN_FUZZ_REQUESTS: '20000' } },
  { file: 'e2e/kill-upload.test.ts', rounds: 1, env: { PLATEN_UPLOAD_KILLS: '1000' } },
  { file: 'runner/runner.test.ts', rounds: 100 }, // 500 killed runners
  { file: 'e2e/job-faults.test.ts', rounds: 10, env: { PLATEN_FAULT_JOBS: '300' } },
  { file: 'e2e/resume-job.test.ts', rounds: 5, env: { PLATEN_RESUME_FEATURES: '400000' } },
  { file: 'e2e/abort.test.ts', rounds: 20 },
  { file: 'server/jobs/queue/exactly-once.test.ts', rounds: 1, env: { PLATEN_QUEUE_JOBS: '100000' } },
  { file: 'e2e/database-restart.test.ts', rounds: 30 },
  { file: 'e2e/web/hostile.test.ts', rounds: 1, env: { PLATEN_DROPPED_FILES: '5000' } },
  { file: 'e2e/tiles/mutated.test.ts', rounds: 1, env: { PLATEN_MUTANTS: '10000' } },
];

for (const { file, rounds, env } of runs) {
  for (let round = 1; round <= rounds; round++) {
    process.stdout.write(`\n▶▶ ${file}, round ${round} of ${rounds}\n`);
    const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=spec'];
    const child = spawn(process.execPath, [...flags, file], {
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) process.exit(1);
  }
}
