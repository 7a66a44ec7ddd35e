import {
  laterNames,
  laterTypes,
  types50,
  type KnownNames,
  type SupportedTypes,
} from '@platen/viewer/engine-names';

const all = (place: keyof SupportedTypes) =>
  [...types50[place], ...laterTypes.flatMap(({ types }) => types[place] ?? [])].toSorted();
const names = (place: keyof KnownNames) => laterNames.flatMap((one) => one.names[place] ?? []).toSorted();

/** The types that the newest map viewer supports. */
export const newestTypes: SupportedTypes = {
  layers: all('layers'),
  maps: all('maps'),
  styles: all('styles'),
  tileProviders: all('tileProviders'),
  contentTree: all('contentTree'),
  featureInfo: all('featureInfo'),
};
export const newestNames: KnownNames = {
  callbacks: names('callbacks'),
  featureProviders: names('featureProviders'),
};
