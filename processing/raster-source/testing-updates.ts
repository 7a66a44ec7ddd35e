import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { FormerResults, JobInput } from '../job-type.ts';
import type { SheetRun } from './testing.ts';

/** An input whose content is known, as runners know it. */
export async function withContent(input: JobInput): Promise<JobInput> {
  const content = createHash('sha256')
    .update(await readFile(input.path))
    .digest('hex');
  return { ...input, content };
}

/** What a run has left for a job that updates its datasource. */
export async function formerOf({ result, outputFolder }: SheetRun): Promise<FormerResults> {
  const file = async (name: string, index: number) => {
    const path = join(outputFolder, name);
    return { path, name, size: (await stat(path)).size, index };
  };
  return { manifest: await file(result.manifest!, 1), results: [await file(result.datasource!.path, 2)] };
}

/** Hashes of all files that a run has made, by their path. */
export async function outputOf({ outputFolder }: SheetRun): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(outputFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    files[relative(outputFolder, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return files;
}
