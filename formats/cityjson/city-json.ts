import { createCityContents, type CityContents } from '../city-model/city-contents.ts';

/** The scan of a CityJSON file, whole or sampled. */
export interface CityJsonScan extends CityContents {
  version: string | undefined;
  isSequence: boolean;
  title: string | undefined;
  referenceSystem: string | undefined;
  /** minX, minY, minZ, maxX, maxY, maxZ */
  geographicalExtent: readonly number[] | undefined;
  transform: { readonly scale: readonly number[]; readonly translate: readonly number[] } | undefined;
  readonly extensions: Set<string>;
  objects: number;
  /** City objects that are not part of another. */
  topLevel: number;
  /** Number of CityJSONFeatures in a sequence. */
  features: number;
  templates: number;
  /** Indices of vertices that do not exist. */
  badIndices: number;
  /** Invalid city objects. */
  badObjects: number;
  /** Bytes that city objects take, of what was read. */
  objectBytes: number;
  /** Vertex indexes of rings whose positions are not known yet. */
  readonly pending: {
    readonly indices: number[];
    readonly ringEnds: number[];
    readonly surfaceEnds: number[];
  };
}

export const createCityJsonScan = (): CityJsonScan => ({
  ...createCityContents(),
  version: undefined,
  isSequence: false,
  title: undefined,
  referenceSystem: undefined,
  geographicalExtent: undefined,
  transform: undefined,
  extensions: new Set(),
  objects: 0,
  topLevel: 0,
  features: 0,
  templates: 0,
  badIndices: 0,
  badObjects: 0,
  objectBytes: 0,
  pending: { indices: [], ringEnds: [], surfaceEnds: [] },
});
