import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Encoding } from './compressed.ts';

const program = fileURLToPath(new URL('compress-child.ts', import.meta.url));

/** Compresses in a separate process with the lowest priority, so that requests and jobs are not slowed down. */
export async function compressBest(body: Buffer, encoding: Encoding, signal: AbortSignal): Promise<Buffer> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, encoding], {
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
  });
  child.stdin.on('error', () => {}); // its end says why
  child.stdin.end(body);
  const [form, [code]] = (await Promise.all([buffer(child.stdout), once(child, 'close', { signal })])) as [
    Buffer,
    [number | null],
  ];
  if (code !== 0) throw new Error(`The compression process exited with code ${code}.`);
  return form;
}
