import { satisfies } from 'semver';

/** Decides as the map viewer itself does. */
export function runsOn(engineVersion: string, mapVersion: string): boolean {
  return satisfies(engineVersion, mapVersion, { includePrerelease: true });
}
