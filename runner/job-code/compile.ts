import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { childProgram, compiledOf } from './code-files.ts';
import { codeCacheOf, readProgram, runProgram } from './read-compiled.ts';
import { runSampleJob } from './sample-job.ts';

/** Compiles the program of the argument. V8 keeps what has run, so the program of jobs runs a small one first. */
const [path] = process.argv.slice(2) as [string];
const script = readProgram(path);
if (basename(path, '.js') === basename(compiledOf('', childProgram), '.cjs'))
  await runSampleJob(() => runProgram(script, path, createRequire(import.meta.url)));
writeFileSync(codeCacheOf(path), script.createCachedData(), { mode: 0o644 });
process.exit(); // the job has timers
