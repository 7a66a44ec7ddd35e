import { coerce, gte } from 'semver';
import { laterTypes, types50, type SupportedTypes } from './engine-names.ts';

/** The types that an engine version knows, sorted by name; an invalid version counts as 5.0. */
export function supportedTypes(version: string): SupportedTypes {
  const engine = coerce(version) ?? '5.0.0';
  const known = laterTypes.filter(({ since }) => gte(engine, since));
  const all = (place: keyof SupportedTypes) =>
    [...types50[place], ...known.flatMap(({ types }) => types[place] ?? [])].toSorted();
  return {
    layers: all('layers'),
    maps: all('maps'),
    styles: all('styles'),
    tileProviders: all('tileProviders'),
    contentTree: all('contentTree'),
    featureInfo: all('featureInfo'),
  };
}
