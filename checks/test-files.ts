import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { SourceGraph } from './source-graph.ts';

export function workspaces(): string[] {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] }).workspaces;
}

/** The test files of these rooms, folders or files (of all rooms, when none is named), as paths from the root. */
export function testFiles(places: readonly string[]): string[] {
  return (places.length > 0 ? places : workspaces())
    .flatMap((place) =>
      globSync(place.endsWith('.test.ts') ? place : `${place}/**/*.test.ts`, {
        exclude: ['**/node_modules/**'],
      }),
    )
    .map((path) => path.split(sep).join('/'))
    .toSorted();
}

/** Folders with fewer SQL fragments only select rows by id. */
const minPieces = 3;
/** Sends random requests to every endpoint, and so reaches all SQL. */
const reachesAll = /\/fuzz\//;
/** Starts embedded servers of its own. */
const embeddedServer = /\/database\/embedded\//;
/** Sends hostile files and answers, which no SQL sees. */
const hostileBytes = /\/hostile-files\./;

/**
 * Test files beside SQL that use a database, where another PostgreSQL version or collation may make a difference.
 */
export function testFilesOfSql(graph: SourceGraph): string[] {
  const withDatabase = graph.reachedFrom(['server/testing.ts']);
  const files = testFiles(['server']).filter((file) => withDatabase.has(file));
  const folders = new Set(files.map(dirname).filter((folder) => countSql(folder) >= minPieces));
  if (folders.size < 10)
    throw new Error('Hardly any folder of server/ holds SQL: is it written in another way now?');
  return files.filter(
    (file) =>
      (folders.has(dirname(file)) || reachesAll.test(file)) &&
      !embeddedServer.test(file) &&
      !hostileBytes.test(file),
  );
}

/** Whether one of these files, by its path from the root, holds SQL, or did before it was removed. */
export function holdSql(paths: readonly string[]): boolean {
  return paths.some(
    (path) =>
      path.endsWith('.sql') ||
      (/^server\/.*(?<!\.test)\.ts$/.test(path) &&
        (!existsSync(path) || piecesIn(readFileSync(path, 'utf8')) > 0)),
  );
}

function countSql(folder: string): number {
  return globSync(`${folder}/*.ts`, { exclude: ['**/*.test.ts', '**/testing*.ts'] })
    .map((path) => piecesIn(readFileSync(path, 'utf8')))
    .reduce((sum, count) => sum + count, 0);
}

function piecesIn(code: string): number {
  return code.match(/\bsql(?:<[^`;]*>)?`/g)?.length ?? 0;
}
