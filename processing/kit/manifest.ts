import { readFile } from 'node:fs/promises';
import type { InputRanges } from '../input-ranges.ts';
import type { FormerFile, JobContext } from '../job-type.ts';

/**
 * Reads the manifest of JSON that the job has left whose results this one updates. Nobody has changed it since: the
 * service compares its hash.
 * @returns undefined if there is none
 */
export async function readManifest<T>({ former, inputRanges }: JobContext): Promise<T | undefined> {
  if (!former) return undefined;
  if (inputRanges) await fetchWhole(inputRanges, former.manifest);
  return JSON.parse(await readFile(former.manifest.path, 'utf8')) as T;
}

const maxRangeBytes = 8 * 2 ** 20;

async function fetchWhole(ranges: InputRanges, { index: input, size }: FormerFile): Promise<void> {
  for (let offset = 0; offset < size; offset += maxRangeBytes) {
    const length = Math.min(maxRangeBytes, size - offset);
    if ((await ranges.fetch({ input, offset, length }))?.isWhole) return;
  }
}
