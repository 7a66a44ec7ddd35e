import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { FetchedFile, InputRanges } from '../input-ranges.ts';
import type { JobInput } from '../job-type.ts';

/** Serves ranges of inputs that are completely on the local disk. */
export function localInputRanges(inputs: readonly JobInput[]): InputRanges {
  return {
    async fetch({ input, member }): Promise<FetchedFile | undefined> {
      const path = member === undefined ? inputs[input]!.path : join(inputs[input]!.path, member);
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() === true ? { path, size: found.size, isWhole: true } : undefined;
    },
    async list(input, limit) {
      const folder = inputs[input]!.path;
      if ((await stat(folder)).isFile()) return [];
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const files = paths.map((path) => ({ path, name: relative(folder, path).split(sep).join('/') }));
      const first = files.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit);
      return Promise.all(first.map(async ({ path, name }) => ({ name, size: (await stat(path)).size })));
    },
  };
}
