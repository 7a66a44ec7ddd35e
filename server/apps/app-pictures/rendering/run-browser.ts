import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Confinement } from '@platen/confinement/confinement';
import { browserCommand } from './browser-command.ts';
import type { RenderCommand } from './render-child.ts';
import type { RenderOrder } from './render-page.ts';

const program = fileURLToPath(new URL('render-child.ts', import.meta.url));
/** A process that hangs is ended this long after the map counts as drawn. */
const graceMs = 20_000;

interface Browser {
  readonly executable: string;
  readonly confinement: Confinement;
}

/** Renders in processes of their own, which end with it. @returns a PNG @throws if the map cannot be rendered */
export async function runBrowser(
  { executable, confinement }: Browser,
  order: RenderOrder,
  signal: AbortSignal,
): Promise<Buffer> {
  const user = confinement.newUser();
  const profile = await mkdtemp(join(tmpdir(), 'platen-browser-'));
  try {
    if (user !== undefined) await chown(profile, user, user);
    const own = browserCommand(executable, profile, user !== undefined);
    return await run({ ...order, command: [...confinement.command(user), ...own] }, signal);
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

async function run(order: RenderCommand, signal: AbortSignal): Promise<Buffer> {
  const words = ['--disable-warning=ExperimentalWarning', program, JSON.stringify(order)];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
    detached: true, // with the browser in a group of its own, which can be ended as one
  });
  const end = () => killGroup(child.pid);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(order.maxMs + graceMs)]);
  limit.addEventListener('abort', end);
  try {
    const [picture, said, [code]] = (await Promise.all([
      buffer(child.stdout),
      buffer(child.stderr),
      once(child, 'close'),
    ])) as [Buffer, Buffer, [number | null]];
    if (code === 0 && picture.length > 0) return picture;
    const reason = /^\w*Error: .*$/m.exec(said.toString())?.[0] ?? 'The process took too long.';
    throw new Error(`The browser has made no picture. ${reason}`);
  } finally {
    limit.removeEventListener('abort', end);
    end();
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // all have ended
  }
}
