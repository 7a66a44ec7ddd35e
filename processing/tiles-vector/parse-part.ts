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
import { describeRejectedFeature, rejectMessage } from '../features/rejected-feature.ts';
import { JobFailure } from '../job-type.ts';
import { extendByShape, noBounds, type Bounds } from './bounds.ts';
import { maxTileZoom } from './max-tile-zoom.ts';
import { createDensity, type Detail } from './density.ts';
import { guessAxes } from './guess-axes.ts';
import { createIngest, noCounts, type IngestCounts } from './ingest.ts';
import type { Layers } from '../features/layers.ts';
import type { TilingMemory } from './memory.ts';
import { createRecordWriter } from './record-writer.ts';
import { createRejectLog, type PartRejects } from '../kit/reject-log.ts';
import { createSegmentWriter, type Segment } from './segments.ts';
import type { Settings } from './settings.ts';
import { createWarningCounter, type CountedWarning } from '../kit/warning-counter.ts';
import { createWeights } from './weights.ts';

/** The result of reading one part of the input. */
export interface ParsedPart {
  readonly segments: readonly Segment[];
  readonly layers: Layers;
  readonly counts: IngestCounts;
  readonly bounds: Bounds;
  readonly detail: Detail;
  /** A guess at what the unusable coordinates are, with advice. */
  readonly hint: string | undefined;
  readonly warnings: readonly CountedWarning[];
  readonly rejects: Omit<PartRejects, 'featuresBefore'>;
  /** Set if the part could not be read to its end. */
  readonly failure: { readonly code: FailureCode; readonly message: string } | undefined;
}

/** Data that a worker collected over all its parts. */
export interface WorkerSummary {
  /** Attribute names, by the numbers that this worker's records use. */
  readonly keys: readonly string[];
  readonly layers: readonly string[];
  readonly pointCells: Uint8Array;
  readonly weights: Float64Array;
}

export interface PartParser {
  parse(number: number, input: InputPart, onProgress: (share: number) => void): Promise<ParsedPart>;
  summary(): WorkerSummary;
  close(): void;
}

export interface ParserOptions {
  readonly settings: Settings;
  readonly folder: string;
  readonly worker: number;
  readonly attempt: number;
  readonly wordsInMemory: Int32Array;
  readonly memory: TilingMemory;
}

/** Converts parts of the input into segments of records. */
export function createPartParser({ settings, ...location }: ParserOptions): PartParser {
  const unitsAtZoom0 = worldSize / settings.extent;
  const segments = createSegmentWriter(location);
  const rejects = createRejectLog(join(location.folder, `rejects-${location.attempt}-${location.worker}`));
  const keys = createKeyTable();
  const layerNumbers = createKeyTable();
  const density = createDensity();
  const weights = createWeights();
  const build = {
    isMercator: false,
    crossesAntimeridian: settings.shortestEdges,
    // Computed for all possible zooms, because the maximum zoom is not known yet.
    limits: simplificationLimits(settings.simplification, unitsAtZoom0, maxTileZoom),
  };
  let bounds = noBounds();
  let warnings = createWarningCounter();
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
      warnings = createWarningCounter();
      bounds = noBounds();
      const { warn } = warnings;
      model ??= await compileModel(settings.model, { warn: (...warning) => warnings.warn(...warning) });
      const ingest = createIngest({
        file: input.file,
        model: model.layersFor(input),
        layers,
        counts,
        keys,
        layerNumbers,
        writer,
        build,
        labelAttribute: settings.labels?.attribute,
        warn,
        reject(code, reason, feature, place) {
          const message = rejectMessage(code, input.file, reason);
          rejects.add({ code, message, reason }, () =>
            describeRejectedFeature(input, reason, feature, place),
          );
        },
        onInvalid(geometry) {
          // Transformed coordinates say nothing about those in the file.
          if (input.crs === undefined) hint ??= guessAxes(geometry);
        },
      });
      const { maxFeatureBytes } = location.memory;
      segments.begin(number);
      rejects.begin();
      const failure = await readPart(input, ingest, { maxFeatureBytes, onProgress, warn }).then(
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
        warnings: warnings.take(),
        rejects: rejects.end(),
        failure,
      };
    },
    summary: () => ({
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

/** World units beyond the edge of the world that tiles may need. The lowest zoom needs most. */
function haloOf({ buffer, extent, minZoom, cluster }: Settings): number {
  const layers = [{ cluster: cluster && { ...cluster, maxZoom: Infinity } }];
  const margin = buffer === 0 && cluster === undefined ? 0 : tileMargin({ extent, buffer, layers }, minZoom);
  return (margin * worldSize) / extent / 2 ** minZoom;
}
