import type { FailureCode } from '@platen/contract/failure-codes';
import { join } from 'node:path';
import { worldSize } from '@platen/geo/tile/world-grid';
import { tileMargin } from '@platen/geo/mvt/cluster-options';
import { createKeyTable } from '@platen/geo/mvt/attributes';
import { simplificationLimits } from '@platen/geo/simplify/vertex-zooms';
import type { ShapeType } from '@platen/geo/shape/shape';
import { compileModel, type FeatureModel } from '../features/compile-model.ts';
import type { InputPart } from '../features/open-inputs.ts';
import { readPart } from '../features/read-part.ts';
import { JobFailure } from '../job-type.ts';
import { extendByShape, noBounds, type Bounds } from './bounds.ts';
import { deepestZoom } from './deepest-zoom.ts';
import { createDensity, type Detail } from './density.ts';
import { guessAxes } from './guess-axes.ts';
import { createIngest, noCounts, type IngestCounts } from './ingest.ts';
import type { Layers } from './layers.ts';
import { createRecordWriter } from './record-writer.ts';
import { createRejectLog, type PartRejects } from './reject-log.ts';
import { createSegmentWriter, type Segment } from './segments.ts';
import type { Settings } from './settings.ts';
import { createTally, type CountedWarning } from './warning-tally.ts';
import { createWeights } from './weights.ts';

/** What became of one part of the input. */
export interface ParsedPart {
  readonly segments: readonly Segment[];
  readonly layers: Layers;
  readonly counts: IngestCounts;
  readonly bounds: Bounds;
  readonly detail: Detail;
  /** What coordinates that cannot be used look like. */
  readonly hint: string | undefined;
  readonly warnings: readonly CountedWarning[];
  readonly rejects: Omit<PartRejects, 'featuresBefore'>;
  /** It could not be read to its end. */
  readonly failure: { readonly code: FailureCode; readonly message: string } | undefined;
}

/** What one worker has learned of all its parts. */
export interface Learned {
  /** By the numbers that the records of this worker use. */
  readonly keys: readonly string[];
  readonly layers: readonly string[];
  readonly pointCells: Uint8Array;
  readonly weights: Float64Array;
}

export interface PartParser {
  parse(number: number, input: InputPart, onProgress: (share: number) => void): Promise<ParsedPart>;
  learned(): Learned;
  close(): void;
}

export interface ParserOptions {
  readonly settings: Settings;
  readonly folder: string;
  readonly worker: number;
  readonly attempt: number;
  readonly inMemory: Int32Array;
  readonly mostInMemory: number;
}

/** Turns parts of the input into segments of records. */
export function createPartParser({ settings, ...where }: ParserOptions): PartParser {
  const unitsAtZoom0 = worldSize / settings.extent;
  const segments = createSegmentWriter(where);
  const rejects = createRejectLog(join(where.folder, `rejects-${where.attempt}-${where.worker}`));
  const keys = createKeyTable();
  const layerNumbers = createKeyTable();
  const density = createDensity();
  const weights = createWeights();
  const build = {
    mercator: false,
    shortest: settings.shortest,
    // Weighed for every zoom there can be, as the highest is not known yet.
    limits: simplificationLimits(settings.simplification, unitsAtZoom0, deepestZoom),
  };
  let bounds = noBounds();
  let tally = createTally();
  let model: FeatureModel | undefined;
  const writer = createRecordWriter({
    segments,
    halo: haloOf(settings),
    onRecord(words, record, shape) {
      density.count(words, shape, (words[record + 1]! & 3) as ShapeType);
      weights.add(words, shape, words[record]!);
      extendByShape(bounds, words, shape);
    },
  });
  return {
    async parse(number, input, onProgress) {
      const layers: Layers = new Map();
      const counts = noCounts();
      let hint: string | undefined;
      tally = createTally();
      bounds = noBounds();
      const { warn } = tally;
      model ??= await compileModel(settings.model, { warn: (...warning) => tally.warn(...warning) });
      const ingest = createIngest({
        file: input.file,
        model: model.layersFor(input),
        layers,
        counts,
        keys,
        layerNumbers,
        writer,
        build,
        warn,
        setAside: (...feature) => rejects.add(input, ...feature),
        onInvalid(geometry) {
          // After a transformation they tell nothing of what the file holds.
          if (input.crs === undefined) hint ??= guessAxes(geometry);
        },
      });
      const longestFeatureBytes = Math.floor(settings.memoryBytes / 8);
      segments.begin(number);
      rejects.begin();
      const failure = await readPart(input, ingest, { longestFeatureBytes, onProgress, warn }).then(
        () => undefined,
        failureOf,
      );
      return {
        segments: segments.end(),
        layers,
        counts,
        bounds,
        detail: density.take(),
        hint,
        warnings: tally.take(),
        rejects: rejects.end(),
        failure,
      };
    },
    learned: () => ({
      keys: keys.names,
      layers: layerNumbers.names,
      pointCells: density.cells,
      weights: weights.cells,
    }),
    close() {
      segments.close();
      rejects.close();
    },
  };
}

function failureOf(error: unknown): ParsedPart['failure'] {
  if (!(error instanceof JobFailure)) throw error;
  return { code: error.code, message: error.message };
}

/** World units by which the tiles of the lowest zoom, and so all tiles, may need what lies beyond the edge of the world. */
function haloOf({ buffer, extent, minZoom, cluster }: Settings): number {
  const layers = [{ cluster: cluster && { ...cluster, maxZoom: Infinity } }];
  const margin = buffer === 0 && cluster === undefined ? 0 : tileMargin({ extent, buffer, layers }, minZoom);
  return (margin * worldSize) / extent / 2 ** minZoom;
}
