import { join } from 'node:path';
import type { Feature } from '@platen/formats/feature/feature';
import { createFlatGeobufWriter } from '@platen/formats/flatgeobuf/write-flatgeobuf';
import { createGeoJsonWriter } from '@platen/formats/geojson/write-geojson';

import { JobFailure } from '../job-type.ts';

export type OutputFormat = 'flatgeobuf' | 'geojson' | 'geojsonl';

/** A file that receives the features of one layer. */
export interface LayerFile {
  /** Relative to the output folder. */
  readonly path: string;
  /** Takes a feature in longitude and latitude. @returns false if there is no geometry to write */
  add(feature: Pick<Feature, 'id' | 'properties' | 'geometry'>): boolean;
  finish(): Promise<{ featureCount: number; bbox: Bbox | undefined; tooManyColumns: boolean }>;
  discard(): void;
}

export type Bbox = readonly [west: number, south: number, east: number, north: number];

export interface LayerFiles {
  /** Returns the file of a layer and creates it on the first call. @throws JobFailure */
  open(layer: string): LayerFile;
  finish(layer: string): ReturnType<LayerFile['finish']>;
  /** Removes all unfinished files. */
  discard(): void;
}

interface Options {
  readonly format: OutputFormat;
  readonly decimals: number;
  readonly outputFolder: string;
  readonly scratchFolder: string;
  /** For sorting the features of a file. */
  readonly memoryBytes: number;
  /** Paths of layers that an earlier job has made; by default, paths are made from names. */
  readonly paths?: ReadonlyMap<string, string>;
}

/** All files are open at the same time. */
const maxFiles = 200;

const endings: Readonly<Record<OutputFormat, string>> = {
  flatgeobuf: '.fgb',
  geojson: '.geojson',
  geojsonl: '.geojsonl',
};

export function createLayerFiles({ format, decimals, ...options }: Options): LayerFiles {
  const { outputFolder, scratchFolder, memoryBytes, paths } = options;
  const files = new Map<string, LayerFile>();
  const unfinished = new Set<LayerFile>();
  const taken = new Set<string>();

  const begin = (layer: string): LayerFile => {
    const path = paths?.get(layer) ?? freeName(layer, endings[format], taken);
    const absolute = join(outputFolder, path);
    if (format === 'flatgeobuf') {
      const writer = createFlatGeobufWriter({ scratchFolder, memoryBytes, name: layer });
      return {
        ...writer,
        path,
        add: (feature) => writer.add(withId(feature)),
        finish: () => writer.finish(absolute),
      };
    }
    const isNewlineDelimited = format === 'geojsonl';
    const writer = createGeoJsonWriter(absolute, { isNewlineDelimited, decimals });
    return { ...writer, path, finish: async () => ({ ...writer.finish(), tooManyColumns: false }) };
  };

  return {
    open(layer) {
      let file = files.get(layer);
      if (file !== undefined) return file;
      if (files.size === maxFiles) throw tooManyLayers();
      files.set(layer, (file = begin(layer)));
      unfinished.add(file);
      return file;
    },
    async finish(layer) {
      const file = files.get(layer)!;
      unfinished.delete(file);
      return file.finish();
    },
    discard() {
      for (const file of unfinished) file.discard();
    },
  };
}

function tooManyLayers(): JobFailure {
  return new JobFailure(
    'tooManyLayers',
    `There are more than ${maxFiles} layers, and each becomes a file: name a layer of the input, or one for all of them in modelOptions.layerName.`,
  );
}

/** FlatGeobuf has no feature ids, so the id becomes an attribute unless one of that name exists. */
function withId({ id, properties, geometry }: Pick<Feature, 'id' | 'properties' | 'geometry'>) {
  const isNew = id !== undefined && !Object.hasOwn(properties, 'id');
  return { geometry, properties: isNew ? { id, ...properties } : properties };
}

const maxNameLength = 100;

/** Returns a file name that every file system accepts and that no other layer uses. */
function freeName(layer: string, ending: string, taken: Set<string>): string {
  const plain = layer
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._]+|(?<![._])[._]+$/g, '');
  const base = Array.from(plain).slice(0, maxNameLength).join('') || 'layer';
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name + ending;
  }
}
