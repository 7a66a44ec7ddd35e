import { createCityContents, type CityContents } from '../city-model/city-contents.ts';

/** The scan of a city model, whole or sampled. */
export interface CityModelScan extends CityContents {
  version: string | undefined;
  readonly modules: Set<string>;
  /** Namespaces of application domain extensions, and how often an element of them was seen. */
  readonly extensions: Map<string, number>;
  /** The CRS of the model, or of the first geometry that names one. */
  srsName: string | undefined;
  /** The envelope that the model declares, in the axis order of the file. */
  envelope: { lower?: readonly number[]; upper?: readonly number[] };
  /** Members of the model: what stands for itself. */
  members: number;
  /** Texts in coordinates that are not numbers. */
  badPositions: number;
}

export const createCityModelScan = (): CityModelScan => ({
  ...createCityContents(),
  version: undefined,
  modules: new Set(),
  extensions: new Map(),
  srsName: undefined,
  envelope: {},
  members: 0,
  badPositions: 0,
});
