import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Derivative } from './derivatives.ts';

const run = promisify(execFile);

/** What the file has to hold, by its script. */
export async function derive({ script }: Derivative): Promise<string> {
  const { stdout } = await run(process.execPath, [script], { maxBuffer: 64 * 1024 * 1024 });
  if (stdout === '') throw new Error(`${script} printed nothing`);
  return stdout;
}
