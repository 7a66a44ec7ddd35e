import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const turnMs = 10;

interface Holding {
  /** Data folder of the service with these runners. */
  readonly dataFolder: string;
  /** Whether a job is queued. A runner claims it only with a ready process, so processes continue until then. */
  readonly isQueued: () => Promise<boolean>;
}

/**
 * Suspends job processes, so that running jobs stay running however slow the page is. Returns a function that resumes
 * them.
 */
export function holdJobs({ dataFolder, isQueued }: Holding): () => Promise<void> {
  let isOver = false;
  const hold = async () => {
    while (!isOver) {
      await signalAll(dataFolder, (await isQueued()) ? 'SIGCONT' : 'SIGSTOP');
      await sleep(turnMs);
    }
  };
  const holding = hold().finally(() => signalAll(dataFolder, 'SIGCONT'));
  holding.catch(() => {}); // reported by the function that resumes
  return () => {
    isOver = true;
    return holding;
  };
}

async function signalAll(dataFolder: string, signal: NodeJS.Signals): Promise<void> {
  const scratch = join(dataFolder, 'scratch/');
  for (const pid of await readdir('/proc')) {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (!folder.startsWith(scratch)) continue;
    try {
      process.kill(Number(pid), signal);
    } catch {
      // the process has just ended
    }
  }
}
