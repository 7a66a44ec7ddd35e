import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

/** The test files of these rooms, folders or files (of all rooms, when none is named), as paths from the root. */
export function testFiles(places: readonly string[]): string[] {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] };
  return (places.length > 0 ? places : workspaces)
    .flatMap((place) =>
      place.endsWith('.test.ts')
        ? place
        : globSync(`${place}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }),
    )
    .map((path) => path.split(sep).join('/'))
    .toSorted();
}
