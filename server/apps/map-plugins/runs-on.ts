import { satisfies } from 'semver';

/** As the map viewer itself decides it. */
export function runsOn(engineVersion: string, mapVersion: string): boolean {
  return satisfies(engineVersion, mapVersion, { includePrerelease: true });
}
