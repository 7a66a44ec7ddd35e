import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program of the system without our environment. @returns its output @throws if it fails */
export async function runCommand(program: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(program, words, { env: { PATH: '/usr/bin:/bin' }, cwd: '/' });
  return stdout;
}
