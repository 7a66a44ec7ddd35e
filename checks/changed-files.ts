import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { SourceGraph } from './source-graph.ts';

/**
 * Paths from the root that differ from the fork point of this branch, or from `ref`, including uncommitted changes.
 */
export function changedFiles(ref?: string): string[] {
  const base = ref ?? ['origin/main', 'main'].find((name) => git('rev-parse', '-q', '--verify', name) !== '');
  const from = (base && git('merge-base', base, 'HEAD').trim()) || 'HEAD';
  const changed = git('diff', '--name-only', '--no-renames', from);
  const added = git('ls-files', '--others', '--exclude-standard');
  return [...new Set(`${changed}${added}`.split('\n').filter(Boolean))].toSorted();
}

function git(...words: string[]): string {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

export interface Reach {
  /** Test files that a change can reach. */
  readonly tests: readonly string[];
  /** Files that bring so much together that everything behind them was not followed. */
  readonly hubs: readonly string[];
}

/** Files with at least this many imports only combine parts; their tests say little about a single part. */
const hubImports = 25;
/** Files that start the whole service, whose tests say little about a single part. */
const starters = new Set([
  'server/testing.ts',
  'e2e/processes.ts',
  'e2e/testing-cluster.ts',
  'e2e/testing-prepared.ts',
]);
/** Changes of them can reach anything. */
const reachesAll = /^(package(-lock)?\.json|[^/]+\/package\.json|checks\/test[^/]*\.ts)$/;
/** Checks of all sources: they depend on every change and take seconds. */
const checksOfSources = 'checks/*.test.ts';
/** Takes a minute; runs when a guide has changed, and in the whole suite. */
const followsGuides = 'checks/guides.test.ts';

/** @param changed paths from the root, also of files that are gone */
export function reachOf(changed: readonly string[], graph: SourceGraph, tests: readonly string[]): Reach {
  if (changed.some((path) => reachesAll.test(path))) return { tests, hubs: [] };
  const starts = new Set(changed.flatMap((path) => codeBehind(path, graph)));
  const hubs = new Set<string>();
  const reached = graph.reachedFrom(starts, (path) => {
    const isLarge = (graph.imports.get(path)?.length ?? 0) >= hubImports;
    const isHub = !starts.has(path) && (isLarge || starters.has(path));
    if (isHub && !path.endsWith('.test.ts')) hubs.add(path);
    return !isHub;
  });
  // a test of a folder looks at its files by way of the whole service
  const folders = new Set([...reached].filter((path) => !hubs.has(path)).map(dirname));
  const always = new Set(changed.length > 0 ? globSync(checksOfSources, { exclude: [followsGuides] }) : []);
  if ([...reached].some((path) => path.endsWith('.component.ts'))) always.add('web/components.test.ts');
  return {
    tests: tests.filter(
      (test) => always.has(test) || reached.has(test) || (isOfService(test) && folders.has(dirname(test))),
    ),
    hubs: [...hubs].toSorted(),
  };
}

const isOfService = (test: string) => test.startsWith('server/');

/**
 * The path itself if it is code; otherwise the code that names it, or else the code beside it or in the nearest folder
 * above.
 */
function codeBehind(path: string, { imports, texts }: SourceGraph): string[] {
  if (imports.has(path)) return [path];
  if (path.startsWith('docs/adding-')) return [followsGuides];
  if (path === 'README.md') return ['e2e/readme.test.ts'];
  const [room = ''] = path.split('/');
  const name = new RegExp(`['/]${RegExp.escape(basename(path))}`);
  const naming = [...texts]
    .filter(([user, text]) => user.startsWith(`${room}/`) && name.test(text))
    .map(([user]) => user);
  if (naming.length > 0) return naming;
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const siblings = [...imports.keys()].filter((file) => dirname(file) === folder);
    if (siblings.length > 0) return siblings;
  }
  return [];
}
