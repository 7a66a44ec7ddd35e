import { createCityContents, type CityContents } from '../city-model/city-contents.ts';

/** What has been seen of a city model: all of it, or what a sample has. */
export interface CityModelScan extends CityContents {
  version: string | undefined;
  readonly modules: Set<string>;
  /** Namespaces of application domain extensions, and how often an element of them was seen. */
  readonly extensions: Map<string, number>;
  /** Of the model; of the first geometry that names one, if the model does not. */
  srsName: string | undefined;
  /** What the model says of itself, in the order of axes of the file. */
  envelope: { lower?: readonly number[]; upper?: readonly number[] };
  /** Members of the model: what stands for itself. */
  members: number;
  /** Numbers that should be coordinates, and are none. */
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
