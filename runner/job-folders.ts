import { randomUUID } from 'node:crypto';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@platen/confinement/run-command';

/** The user that only one process has. */
export interface JobUser {
  /** Also its group. */
  readonly id: number;
  /** The group of all jobs of this scratch folder, which may read files of the service that are linked as inputs. */
  readonly inputGroup: number;
}

export interface JobFolders {
  /** The folder that holds the others. */
  readonly own: string;
  readonly inputs: string;
  readonly output: string;
  readonly scratch: string;
  /** The user of the process; undefined: it is ours. */
  readonly user: JobUser | undefined;
}

/** Creates the folders of a process. Its user may write to `output` and `scratch`, and no other user may enter them. */
export async function makeJobFolders(scratchFolder: string, user: JobUser | undefined): Promise<JobFolders> {
  const own = join(scratchFolder, `job-${process.pid}-${randomUUID()}`);
  const read = { own, inputs: join(own, 'inputs') };
  const written = { output: join(own, 'output'), scratch: join(own, 'scratch') };
  for (const path of Object.values(read)) {
    await mkdir(path, { mode: user ? 0o750 : 0o700 });
    if (user) await chown(path, process.getuid!(), user.id);
  }
  for (const path of Object.values(written)) {
    await mkdir(path, { mode: 0o700 });
    if (user) await chown(path, user.id, user.id);
  }
  return { ...read, ...written, user };
}

/** Hands the files of an earlier process over, but none that it did not own. */
export async function handOver(folder: string, former: number, { user }: JobFolders): Promise<void> {
  const id = user?.id ?? process.getuid?.();
  if (id === undefined || id === former) return;
  await runCommand('chown', ['-R', `--from=${former}`, `${id}:${id}`, folder]);
}
