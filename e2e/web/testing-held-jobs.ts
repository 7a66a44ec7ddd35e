import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const turnMs = 10;

interface Holding {
  /** Of the service whose runners they are. */
  readonly dataFolder: string;
  /** Whether a job waits for a runner, which claims it only when a process is ready: until then they go on. */
  readonly isQueued: () => Promise<boolean>;
}

/** Holds the processes of jobs, so that what runs goes on running, however slow the page that shows it; returns how to let go. */
export function holdJobs({ dataFolder, isQueued }: Holding): () => Promise<void> {
  let isOver = false;
  const hold = async () => {
    while (!isOver) {
      await signalAll(dataFolder, (await isQueued()) ? 'SIGCONT' : 'SIGSTOP');
      await sleep(turnMs);
    }
  };
  const holding = hold().finally(() => signalAll(dataFolder, 'SIGCONT'));
  holding.catch(() => {}); // told to whoever lets go
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
      // it has just ended
    }
  }
}
