import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Feature } from '../feature/feature.ts';
import { boxAround, createBoxList, hilbertOrder, pushBox, type BoxList } from './box-list.ts';
import { encodeHeader } from './encode-header.ts';
import { geometryCode } from './encode-geometry.ts';
import { createFeatureEncoder } from './feature-encoder.ts';
import { createFeatureScratch } from './feature-scratch.ts';
import { createFileAppender, writeAll } from '../bytes/file-appender.ts';
import { createIndexWriter, nodeSize } from './index-writer.ts';
import { indexBytes } from './packed-tree.ts';

export interface FlatGeobufWriterOptions {
  /** Holds temporary files of about the size of the finished file. */
  readonly scratchFolder: string;
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

/**
 * Writes FlatGeobuf as web maps want it: two dimensions, EPSG:4326, with the packed Hilbert R-tree. Features wait in
 * a scratch file until all columns are known; in memory there are 40 bytes of each, and 12 more while they are sorted.
 */
export function createFlatGeobufWriter(options: FlatGeobufWriterOptions): FlatGeobufWriter {
  const { scratchFolder, name, title, description } = options;
  const scratch = createFeatureScratch(scratchFolder);
  const encoder = createFeatureEncoder();
  const list = createBoxList();
  let geometryType: number | undefined;
  return {
    add(feature) {
      if (feature.geometry.parts.length === 0 || !pushBox(list, feature.geometry)) return false;
      const type = geometryCode(feature.geometry);
      geometryType = geometryType === undefined || geometryType === type ? type : 0;
      scratch.append(encoder.begin(feature));
      return true;
    },
    async finish(path) {
      const bbox = boxAround(list);
      const columns = encoder.columns();
      const header = encodeHeader({
        name,
        title,
        description,
        bbox,
        columns,
        geometryType: geometryType ?? 0,
        featureCount: list.count,
        nodeSize: list.count === 0 ? 0 : nodeSize,
      });
      const file = openSync(path, 'w');
      try {
        writeAll(file, header, 0);
        if (bbox !== undefined) {
          const feature = (number: number): Buffer => encoder.complete(scratch.read(number), columns);
          await writeIndexed(file, header.length, { list, order: hilbertOrder(list, bbox), feature });
        }
      } finally {
        closeSync(file);
        scratch.remove();
      }
      return { featureCount: list.count, bbox, tooManyColumns: encoder.tooManyColumns };
    },
    discard: () => scratch.remove(),
  };
}

/** The index and the features along the curve, side by side, so that nothing need be known of them before. */
async function writeIndexed(
  file: number,
  indexStart: number,
  { list, order, feature }: { list: BoxList; order: Uint32Array; feature: (number: number) => Buffer },
): Promise<void> {
  const featuresStart = indexStart + indexBytes(list.count, nodeSize);
  const index = createIndexWriter(list.count, indexStart, (bytes, at) => writeAll(file, bytes, at));
  const features = createFileAppender(file, featuresStart);
  for (const [i, number] of order.entries()) {
    index.add(list.boxes, number * 4, features.position - featuresStart);
    features.append(feature(number));
    if (i % featuresAtOnce === 0) await setImmediate();
  }
  features.flush();
  index.finish();
}
