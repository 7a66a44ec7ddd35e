import { DamagedGzip, openBytes } from '@platen/formats/bytes/open-bytes';
import { crsName, knownCrs } from '@platen/formats/geojson/crs-name';
import { GeoJsonError, readGeoJson } from '@platen/formats/geojson/read-geojson';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import type { Ingest } from './ingest.ts';
import { layerNameOf, type Layers } from './layers.ts';
import type { Settings } from './settings.ts';

/** A file that names its CRS only after its features: it must be read again, knowing it. */
export class LateCrs extends Error {
  readonly path: string;
  readonly crs: string;

  constructor(path: string, crs: string) {
    super(`the CRS ${crs} comes after the features`);
    this.path = path;
    this.crs = crs;
  }
}

export interface ReadOptions {
  readonly ingest: Ingest;
  readonly layers: Layers;
  readonly settings: Settings;
  readonly limits: Float64Array;
  /** By path, for files that named theirs late. */
  readonly lateCrs: ReadonlyMap<string, string>;
}

/** Reads every input into the ingest. @throws JobFailure, LateCrs */
export async function readInputs(context: JobContext, options: ReadOptions): Promise<void> {
  const total = context.inputs.reduce((sum, input) => sum + input.size, 0);
  let done = 0;
  for (const input of context.inputs) {
    await readInput(input, context, options, (bytes) =>
      context.progress('read', Math.min(done + bytes, total), total),
    );
    done += input.size;
  }
}

async function readInput(
  input: JobInput,
  context: JobContext,
  { ingest, layers, settings, limits, lateCrs }: ReadOptions,
  onRead: (bytes: number) => void,
): Promise<void> {
  const forced = input.crs ?? lateCrs.get(input.path);
  const build = { mercator: false, shortest: settings.shortest, limits };
  if (forced !== undefined) build.mercator = isMercator(forced, input.name);
  const layer = layers.layerOf(settings.layerName ?? input.layer ?? layerNameOf(input.name));
  try {
    await readGeoJson(
      openBytes(input.path, { signal: context.signal, onRead }),
      ingest.into(input.name, layer, build),
      {
        ...(input.encoding === undefined ? {} : { encoding: input.encoding }),
        longestFeatureBytes: Math.floor(settings.memoryBytes / 8),
        onCrs(member, late) {
          const name = crsName(member);
          if (name === undefined || forced !== undefined) return;
          const mercator = isMercator(name, input.name);
          if (late && mercator !== build.mercator) throw new LateCrs(input.path, name);
          build.mercator = mercator;
        },
      },
    );
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(error, input.name);
  }
}

function isMercator(name: string, file: string): boolean {
  const crs = knownCrs(name);
  if (crs === undefined) {
    throw new JobFailure(
      'unknownCrs',
      `${file} is in the CRS "${name}", which vector tiles cannot be made from yet. Transform it to WGS 84 longitude and latitude (EPSG:4326, what GeoJSON asks for), or to EPSG:3857.`,
    );
  }
  return crs === 'webMercator';
}

function explain(error: unknown, file: string): unknown {
  if (error instanceof DamagedGzip) {
    return new JobFailure('brokenGzip', `${file}: ${error.message}. Upload it again.`, { cause: error });
  }
  if (!(error instanceof GeoJsonError)) return error;
  const { line, byte, feature } = error.place;
  const where = `line ${line}, byte ${byte}, feature ${feature}`;
  return new JobFailure(error.code, `${file}, ${where}: ${error.message}.`, { cause: error });
}
