import { join } from 'node:path';
import type { Feature } from '@platen/formats/feature/feature';
import { createFlatGeobufWriter } from '@platen/formats/flatgeobuf/write-flatgeobuf';
import { createGeoJsonWriter } from '@platen/formats/geojson/write-geojson';

import { JobFailure } from '../job-type.ts';

export type OutputFormat = 'flatgeobuf' | 'geojson' | 'geojsonl';

/** A file that features of one layer are written to. */
export interface LayerFile {
  /** Relative to the output folder. */
  readonly path: string;
  /** In longitude and latitude. @returns false where there is no geometry to write */
  add(feature: Pick<Feature, 'id' | 'properties' | 'geometry'>): boolean;
  finish(): Promise<{ featureCount: number; bbox: Bbox | undefined; tooManyColumns: boolean }>;
  discard(): void;
}

export type Bbox = readonly [west: number, south: number, east: number, north: number];

export interface LayerFiles {
  /** The file of a layer, begun when it is first asked for. @throws JobFailure */
  open(layer: string): LayerFile;
  finish(layer: string): ReturnType<LayerFile['finish']>;
  /** Removes what has not been finished. */
  discard(): void;
}

interface Options {
  readonly format: OutputFormat;
  readonly decimals: number;
  readonly outputFolder: string;
  readonly scratchFolder: string;
}

/** All of them are open at the same time. */
const mostFiles = 200;

const endings: Readonly<Record<OutputFormat, string>> = {
  flatgeobuf: '.fgb',
  geojson: '.geojson',
  geojsonl: '.geojsonl',
};

export function createLayerFiles({ format, decimals, outputFolder, scratchFolder }: Options): LayerFiles {
  const files = new Map<string, LayerFile>();
  const unfinished = new Set<LayerFile>();
  const taken = new Set<string>();

  const begin = (layer: string): LayerFile => {
    const path = freeName(layer, endings[format], taken);
    const absolute = join(outputFolder, path);
    if (format === 'flatgeobuf') {
      const writer = createFlatGeobufWriter({ scratchFolder, name: layer });
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
      if (files.size === mostFiles) throw tooManyLayers();
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
    `There are more than ${mostFiles} layers, and each becomes a file: name a layer of the input, or one for all of them in modelOptions.layerName.`,
  );
}

/** FlatGeobuf has no ids: there they are an attribute, unless there is one of that name. */
function withId({ id, properties, geometry }: Pick<Feature, 'id' | 'properties' | 'geometry'>) {
  const isNew = id !== undefined && !Object.hasOwn(properties, 'id');
  return { geometry, properties: isNew ? { id, ...properties } : properties };
}

const longestName = 100;

/** A name for the file of a layer that every file system takes, and no other layer has. */
function freeName(layer: string, ending: string, taken: Set<string>): string {
  const plain = layer
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._]+|[._]+$/g, '');
  const base = Array.from(plain).slice(0, longestName).join('') || 'layer';
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name + ending;
  }
}
