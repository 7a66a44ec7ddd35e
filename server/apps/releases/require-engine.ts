import type { Release } from '@platen/contract/releases';
import { findEngine } from '@platen/viewer/engines';
import { Failure } from '../../base/failure.ts';

type ReleaseEngine = Pick<Release, 'engineVersion' | 'mapVersion'>;

/** The installed version that shows a release: its own, or where that was removed the newest that would do. */
export function engineOf({ engineVersion, mapVersion }: ReleaseEngine): string | undefined {
  return (findEngine(engineVersion) ?? findEngine(mapVersion))?.version;
}

/** @throws Failure `unprocessable` when neither its version of the map viewer is installed, nor another in its range */
export function requireEngineOf(release: ReleaseEngine): void {
  if (engineOf(release) !== undefined) return;
  const { engineVersion, mapVersion } = release;
  const detail = `Map viewer ${engineVersion} is no longer installed, nor is another version in ${mapVersion}.`;
  throw new Failure('unprocessable', detail, {
    errors: [{ pointer: '/engineVersion', code: 'noEngine', detail }],
  });
}
