import type { MapPlugin, MapPluginListQuery, MapPluginVersion } from '@platen/contract/map-plugins';
import { Range } from 'semver';
import { invalidAt } from '../../base/failure.ts';
import { mapInTurns } from '../../base/map-in-turns.ts';

export type VersionFilter = Pick<MapPluginListQuery, 'mapVersion' | 'version'>;

/** Each of them is compared with each alternative of each plugin. */
const maxAlternatives = 10;

export const hasFewAlternatives = (range: string): boolean => range.split('||').length <= maxAlternatives;

/**
 * Keeps the versions that match, and the plugins that have any. The event loop turns between them.
 * @throws Failure `invalid` if a filter is not a semver range, or has too many alternatives
 */
export async function filterVersions(
  plugins: ReadonlyMap<string, readonly MapPluginVersion[]>,
  { mapVersion, version }: VersionFilter,
): Promise<MapPlugin[]> {
  const maps = readRange('mapVersion', mapVersion);
  const versions = readRange('version', version, { includePrerelease: true });
  const all = [...plugins].flatMap(([name, ofPlugin]) => ofPlugin.map((one) => ({ name, one })));
  const matches = await mapInTurns(
    all,
    ({ one }) =>
      (versions?.test(one.version) ?? true) && (maps?.intersects(new Range(one.mapVersion)) ?? true),
  );
  const kept = all.filter((_, index) => matches[index]);
  return [...Map.groupBy(kept, ({ name }) => name)].map(([name, ofName]) => ({
    name,
    versions: ofName.map(({ one }) => one),
  }));
}

function readRange(
  name: keyof VersionFilter,
  text: string | undefined,
  options?: { includePrerelease: boolean },
): Range | undefined {
  if (text === undefined) return undefined;
  if (!hasFewAlternatives(text))
    throw invalidAt(name, `It must not have more than ${maxAlternatives} alternatives (||).`);
  try {
    return new Range(text, options);
  } catch {
    throw invalidAt(name, 'It must be a semver range such as ^6.3.');
  }
}
