import { planMemory } from '../kit/memory-plan.ts';
import { pixelMetres, tileSide, zoomOf } from '../raster-source/mercator-frame.ts';
import type { MosaicSheet } from '../raster-source/mosaic-sheet.ts';
import { bytesPerSample } from '../raster-source/sample-type.ts';

/** How the job's memory budget is divided. In bytes, of each thread. */
export interface ImageryMemory {
  readonly workers: number;
  /** Unpacked blocks of sheets, and decoded pictures. */
  readonly sheetBytes: number;
  /** The pixels of a unit. */
  readonly unitBytes: number;
}

const megabyte = 2 ** 20;

export function planImageryMemory(budgetBytes: number, maxWorkers: number): ImageryMemory {
  const { workers, bytes } = planMemory({
    budgetBytes,
    workers: maxWorkers,
    shares: {
      sheets: { weight: 50, isPerWorker: true, minBytes: 16 * megabyte },
      unit: { weight: 50, isPerWorker: true, minBytes: 16 * megabyte, maxBytes: 256 * megabyte },
    },
  });
  return { workers, sheetBytes: bytes.sheets, unitBytes: bytes.unit };
}

/** A window of a sheet has at most so many pixels for each of a unit. */
const windowShare = 1.5;
/** Zooms of a unit: 2048 pixels a side at most. */
const maxDepth = 4;
/**
 * Fewer units would leave threads without work at the end, have wide empty edges, and let an update make more again than has
 * changed. Larger ones are encoded in fewer calls, which counts where there are many.
 */
const minUnits = (depth: number): number => 4 ** depth;

/** The zooms of a unit, as many as fit into memory, and fewer for small mosaics. */
export function depthOf({ unitBytes }: ImageryMemory, sheets: readonly MosaicSheet[]): number {
  const largest = Math.max(
    ...sheets.map(({ raster }) => (raster ? raster.bands * bytesPerSample(raster.sampleType) + 1 : 4)),
  );
  // colours of the unit, its smaller zooms and what encodes it, and of the window as they are stored and as colours
  const perPixel = 4 * 3 + windowShare * (largest + 4);
  const pixels = pixelsOf(sheets);
  const isGood = (depth: number): boolean => {
    const unitPixels = (tileSide * 2 ** (depth - 1)) ** 2;
    return unitPixels * perPixel <= unitBytes && pixels >= unitPixels * minUnits(depth);
  };
  let depth = maxDepth;
  while (depth > 1 && !isGood(depth)) depth--;
  return depth;
}

/** Of the base, about. */
function pixelsOf(sheets: readonly MosaicSheet[]): number {
  const metres = pixelMetres(zoomOf(Math.min(...sheets.map((sheet) => sheet.metres))));
  return sheets.reduce(
    (sum, { box: [west, south, east, north] }) => sum + ((east - west) * (north - south)) / metres ** 2,
    0,
  );
}
