import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startJobProcess } from './job-process.ts';

/**
 * Starts a process that is busy and tells its number, as a runner does: `tied`, by the system, or `watched`, by a thread of
 * its own. For tests, which then kill this one.
 */
const [how, scratchFolder = ''] = process.argv.slice(2);

if (how === 'tied') {
  const program = join(import.meta.dirname, 'testing-hang.ts');
  const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, program });
  const { output: outputFolder, scratch } = child.folders;
  const where = { outputFolder, scratchFolder: scratch, readsRanges: false, isVerbose: false };
  const hear = () => void process.stdout.write(`${child.pid}\n`);
  await child.run({ name: 'Hang', options: {}, inputs: [], ...where }, hear, new AbortController().signal);
} else {
  const child = fork(join(import.meta.dirname, 'testing-watched.ts'), { detached: true });
  await once(child, 'message');
  process.stdout.write(`${child.pid}\n`);
}
