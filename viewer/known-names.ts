import { coerce, gte } from 'semver';
import { laterNames, type KnownNames } from './engine-names.ts';

/** The names that an engine version knows, sorted; an invalid version counts as 5.0. */
export function knownNames(version: string): KnownNames {
  const engine = coerce(version) ?? '5.0.0';
  const known = laterNames.filter(({ since }) => gte(engine, since));
  const all = (place: keyof KnownNames) => known.flatMap(({ names }) => names[place] ?? []).toSorted();
  return { callbacks: all('callbacks'), featureProviders: all('featureProviders') };
}

const always = new Set([4326, 4269, 3857]);

/** Whether the engine knows an EPSG code without a `proj4` definition. */
export function supportsProjection(version: string, code: number): boolean {
  if (always.has(code)) return true;
  const engine = coerce(version) ?? '5.0.0';
  // WGS 84 / UTM north and south; both polar caps
  const isUtm = (code > 32600 && code <= 32660) || (code > 32700 && code <= 32760);
  if (isUtm) return gte(engine, '6.2.0');
  return (code === 5041 || code === 5042) && gte(engine, '6.3.0');
}
