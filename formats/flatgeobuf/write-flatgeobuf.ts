import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Feature } from '../feature/feature.ts';
import { encodeHeader } from './encode-header.ts';
import { geometryCode } from './encode-geometry.ts';
import { createFeatureEncoder } from './feature-encoder.ts';
import { boxOfFeature, clearBox, extendBox } from './feature-box.ts';
import { createFeatureScratch, type FeatureScratch } from './feature-scratch.ts';
import { createFileAppender, writeAll } from '../bytes/file-appender.ts';
import { createIndexWriter, nodeSize } from './index-writer.ts';
import { recordDoubles } from './leaf-records.ts';
import { indexBytes } from './packed-tree.ts';

export interface FlatGeobufWriterOptions {
  /** Holds temporary files of about the size of the finished file. */
  readonly scratchFolder: string;
  /** For sorting, in `finish`. What does not fit into it goes to temporary files. */
  readonly memoryBytes?: number;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

export interface FlatGeobufSummary {
  readonly featureCount: number;
  /** West, south, east, north; undefined without features. */
  readonly bbox: readonly [number, number, number, number] | undefined;
  /** Whether there were more attribute names than a header can hold (65,535 or 4 MB). The others are not written. */
  readonly tooManyColumns: boolean;
}

export interface FlatGeobufWriter {
  /**
   * Adds a feature in EPSG:4326; the caller may reuse the object afterwards.
   * @returns false if there is nothing to write: no geometry, or a coordinate that is not finite
   */
  add(feature: Pick<Feature, 'geometry' | 'properties'>): boolean;
  /** Writes the file and removes what was in between. */
  finish(path: string): Promise<FlatGeobufSummary>;
  /** Instead of finish: removes what was in between. */
  discard(): void;
}

const featuresAtOnce = 4096;
const defaultMemoryBytes = 64 * 2 ** 20;

/**
 * Writes FlatGeobuf as web maps want it: two dimensions, EPSG:4326, with the packed Hilbert R-tree. Features wait in
 * a scratch file until all columns are known, with 48 bytes for the index of each in another. The memory does not depend
 * on their number.
 */
export function createFlatGeobufWriter(options: FlatGeobufWriterOptions): FlatGeobufWriter {
  const { scratchFolder, memoryBytes = defaultMemoryBytes, name, title, description } = options;
  const scratch = createFeatureScratch(scratchFolder);
  const encoder = createFeatureEncoder();
  const box = new Float64Array(4);
  const around = new Float64Array(4);
  clearBox(around);
  let geometryType: number | undefined;
  return {
    add(feature) {
      if (feature.geometry.parts.length === 0 || !boxOfFeature(feature.geometry, box)) return false;
      const type = geometryCode(feature.geometry);
      geometryType = geometryType === undefined || geometryType === type ? type : 0;
      extendBox(around, box, 0);
      scratch.append(encoder.begin(feature), box);
      return true;
    },
    async finish(path) {
      const { count } = scratch;
      const [west, south, east, north] = around as unknown as [number, number, number, number];
      const bbox = count === 0 ? undefined : ([west, south, east, north] as const);
      const columns = encoder.columns();
      const header = encodeHeader({
        name,
        title,
        description,
        bbox,
        columns,
        geometryType: geometryType ?? 0,
        featureCount: count,
        nodeSize: count === 0 ? 0 : nodeSize,
      });
      const file = openSync(path, 'w');
      try {
        writeAll(file, header, 0);
        const complete = (bytes: Buffer): Buffer => encoder.complete(bytes, columns);
        if (count > 0) await writeIndexed(file, header.length, { scratch, around, memoryBytes, complete });
      } finally {
        closeSync(file);
        scratch.remove();
      }
      return { featureCount: count, bbox, tooManyColumns: encoder.tooManyColumns };
    },
    discard: () => scratch.remove(),
  };
}

interface IndexedFeatures {
  readonly scratch: FeatureScratch;
  readonly around: Float64Array;
  readonly memoryBytes: number;
  readonly complete: (bytes: Buffer) => Buffer;
}

/** The index and the features along the curve, side by side, so that nothing need be known of them before. */
async function writeIndexed(
  file: number,
  indexStart: number,
  { scratch, around, memoryBytes, complete }: IndexedFeatures,
): Promise<void> {
  const featuresStart = indexStart + indexBytes(scratch.count, nodeSize);
  const index = createIndexWriter(scratch.count, indexStart, (bytes, at) => writeAll(file, bytes, at));
  const features = createFileAppender(file, featuresStart);
  let written = 0;
  for (const leaf of await scratch.sorted(around, memoryBytes)) {
    index.add(leaf.records.doubles, leaf.index * recordDoubles, features.position - featuresStart);
    features.append(complete(scratch.read(leaf)));
    if (++written % featuresAtOnce === 0) await setImmediate();
  }
  features.flush();
  index.finish();
}
