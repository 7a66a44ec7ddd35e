import { maxFeatureBytesOf, planMemory } from '../kit/memory-plan.ts';

/** How the job's memory budget is divided. In 32-bit words unless stated otherwise. */
export interface TilingMemory {
  readonly budgetBytes: number;
  readonly workers: number;
  /** Records kept in memory by all threads together; the rest goes to files. */
  readonly maxWordsInMemory: number;
  /** Records that a thread collects before they become a segment. */
  readonly maxWordsPerSegment: number;
  /** Records that a thread cuts at a time; trimmed copies take about as much again. */
  readonly maxWordsPerUnit: number;
  /** Bytes of a tile before compression. */
  readonly maxBytesPerTile: number;
  /** Bytes of the input that a thread reads at a time. */
  readonly partBytes: number;
  /** Bytes of a feature in its file. */
  readonly maxFeatureBytes: number;
  /** Bytes of compressed small tiles that a thread remembers. */
  readonly packedTileBytes: number;
  /** Features of a tile whose density is measured in memory. */
  readonly maxFeaturesMeasured: number;
}

/** Share of the memory budget above which garbage is collected between two phases. The next one may need the other half. */
export const phaseCollectionShare = 0.5;
/** The same between two units that a thread cuts. */
export const unitCollectionShare = 0.75;

/** See geo/mvt/feature-density.ts. */
const bytesPerMeasuredFeature = 35;
const megabyte = 2 ** 20;

export function planTilingMemory(budgetBytes: number, maxWorkers: number): TilingMemory {
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: {
      records: { weight: 42 },
      segment: { weight: 8, isPerWorker: true, minBytes: megabyte, maxBytes: 32 * megabyte },
      unit: { weight: 13, isPerWorker: true },
      trimmedCopies: { weight: 13, isPerWorker: true },
      tile: { weight: 11, isPerWorker: true },
      part: { weight: 6, isPerWorker: true, minBytes: megabyte, maxBytes: 32 * megabyte },
      packedTiles: { weight: 2, isPerWorker: true },
      density: { weight: 10, isPerWorker: true },
    },
  });
  return {
    budgetBytes,
    workers,
    maxWordsInMemory: Math.floor(bytes.records / 4),
    maxWordsPerSegment: Math.floor(bytes.segment / 4),
    maxWordsPerUnit: Math.floor(bytes.unit / 4),
    maxBytesPerTile: bytes.tile,
    partBytes: bytes.part,
    maxFeatureBytes: maxFeatureBytesOf(budgetBytes),
    packedTileBytes: bytes.packedTiles,
    maxFeaturesMeasured: Math.max(1024, Math.floor(bytes.density / bytesPerMeasuredFeature)),
  };
}
