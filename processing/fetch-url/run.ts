import { constants, copyFile, mkdir } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { JobFailure, type RunJob } from '../job-type.ts';
import type { fetchUrl } from './spec.ts';

/** Only names the file: the runner has already fetched it, because the process of a job has no network. */
export const runFetchUrl: RunJob<typeof fetchUrl> = async ({ key }, { inputs, outputFolder, log }) => {
  if (key !== undefined && inputs.length > 1)
    throw new JobFailure('badParameters', 'A key is for one address: name a folder for several.');
  const taken = new Set<string>();
  for (const { path, name, size } of inputs) {
    const target = resolve(outputFolder, key?.replace(/^\//, '') ?? name);
    if (!target.startsWith(outputFolder + sep) || target.endsWith(sep))
      throw new JobFailure('badName', `“${key ?? name}” cannot be the key of a file.`);
    if (taken.has(target))
      throw new JobFailure('badName', `Two of the addresses name a file “${name}”: fetch them one by one.`);
    taken.add(target);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(path, target, constants.COPYFILE_FICLONE);
    log('info', `Fetched “${name}”.`, { bytes: size });
  }
  return {};
};
