import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { detectConfinement, type Confinement } from '@platen/confinement/confinement';
import { userOfFolder } from '@platen/confinement/reserved-users';
import { isOwnFolder } from '@platen/confinement/trusted-folder';
import { confinementMeasures } from '@platen/contract/confinement';
import type { JobUser } from './job-folders.ts';
import type { Log } from './log.ts';
import { installation } from './job-code/code-files.ts';

export interface JobConfinement extends Omit<Confinement, 'newUser'> {
  /** A user for one process; undefined: it runs as our user. */
  readonly newUser: () => JobUser | undefined;
}

const detected = new Map<string, Promise<JobConfinement>>();

/** The rights of the processes of jobs, found once for each scratch folder. */
export function confinementOf(scratchFolder: string): Promise<JobConfinement> {
  return detected.getOrInsertComputed(scratchFolder, detect);
}

const code = ['package.json', 'node_modules', join('runner', 'child.ts'), join('processing', 'runs.ts')];

async function detect(scratchFolder: string): Promise<JobConfinement> {
  const inputGroup = await userOfFolder('job', scratchFolder);
  if (inputGroup !== undefined && (await isOwnFolder(scratchFolder))) await allowEntering(scratchFolder);
  const paths = code.map((name) => join(installation, name));
  const { newUser, ...confinement } = await detectConfinement([process.execPath, scratchFolder, ...paths]);
  return {
    ...confinement,
    newUser() {
      const id = inputGroup === undefined ? undefined : newUser();
      return id === undefined ? undefined : { id, inputGroup: inputGroup! };
    },
  };
}

/** Says which measures confine jobs, and which this machine does not allow. */
export async function logConfinement(scratchFolder: string, log: Log): Promise<void> {
  const { measures } = await confinementOf(scratchFolder);
  const missing = confinementMeasures.filter((measure) => !measures.has(measure));
  const data = { measures: [...measures], ...(missing.length > 0 && { missing }) };
  log('info', 'processes of jobs are confined as far as this machine allows', data);
}

/** Other users may enter the folder, though not list it; each folder in it has its own mode. */
async function allowEntering(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
}
