import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readSource } from './source.ts';
import { workspaces } from './test-files.ts';

/** The import graph of all code, tests included. */
export interface SourceGraph {
  readonly texts: ReadonlyMap<string, string>;
  /** Every file with the files of the repository that it imports or names. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** These files, and all that import one of them, directly or not; what `isFollowed` refuses is reached, but nothing behind it. */
  reachedFrom(paths: Iterable<string>, isFollowed?: (path: string) => boolean): Set<string>;
}

/** Takes more than a second of one core. */
export function readSourceGraph(): SourceGraph {
  const paths = globSync(`{${workspaces().join(',')}}/**/*.{ts,js,mjs,vue}`, {
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((path) => path.split(sep).join('/'));
  const texts = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const imports = new Map<string, string[]>();
  const importers = new Map<string, string[]>();
  for (const [path, text] of texts) {
    const requests = new Set([...readSource(path, text).imports, ...filesNamedIn(text, path)]);
    const ours = [...requests].filter((it) => it !== path && texts.has(it));
    imports.set(path, ours);
    for (const imported of ours) {
      const known = importers.get(imported);
      if (known) known.push(path);
      else importers.set(imported, [path]);
    }
  }
  const reachedFrom: SourceGraph['reachedFrom'] = (from, isFollowed = () => true) => {
    const reached = new Set(from);
    // iteration over a set includes elements added on the way
    for (const path of reached) {
      if (isFollowed(path)) for (const more of importers.get(path) ?? []) reached.add(more);
    }
    return reached;
  };
  return { texts, imports, reachedFrom };
}

/** Code that is started as a process, a thread or a page: `new URL('./child.ts', import.meta.url)`. */
function filesNamedIn(text: string, path: string): string[] {
  return [...text.matchAll(/'([^'\n]+\.(?:ts|js|mjs))'/g)].flatMap(([, name = '']) => [
    join(dirname(path), name).split(sep).join('/'),
    name,
  ]);
}
