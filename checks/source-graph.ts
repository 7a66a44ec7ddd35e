import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { readSource } from './source.ts';
import { workspaces } from './test-files.ts';

/** Who imports whom, over all code of ours, tests included. */
export interface SourceGraph {
  /** Every file, with the files of ours that it imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** These files, and all that import one of them, directly or not. */
  reachedFrom(paths: Iterable<string>): Set<string>;
}

/** Takes about two seconds of one core. */
export function readSourceGraph(): SourceGraph {
  const paths = globSync(`{${workspaces().join(',')}}/**/*.{ts,js,mjs,vue}`, {
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((path) => path.split(sep).join('/'));
  const sources = paths.map((path) => readSource(path, readFileSync(path, 'utf8')));
  const imports = new Map(sources.map((it) => [it.path, it.imports]));
  const importers = new Map<string, string[]>();
  for (const it of sources) {
    for (const imported of it.imports) {
      const known = importers.get(imported);
      if (known) known.push(it.path);
      else importers.set(imported, [it.path]);
    }
  }
  return { imports, reachedFrom: (from) => closure(from, importers) };
}

function closure(from: Iterable<string>, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(from);
  // a set goes on with what is added to it on the way
  for (const path of reached) for (const more of next.get(path) ?? []) reached.add(more);
  return reached;
}
