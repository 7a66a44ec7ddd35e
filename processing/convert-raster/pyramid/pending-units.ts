import { halvePixels, type PixelSquare } from '@platen/geo/raster/halve-pixels';
import { openScratchFile, readInto, type FileRange } from '../../kit/scratch-file.ts';
import { samplesOf } from '../../raster-source/sample-type.ts';
import type { Level, RasterShape } from './raster-shape.ts';
import type { TakeSquare } from './square-pool.ts';
import type { UnitPlace } from './unit-order.ts';

/** A unit of an overview of which some children are still missing. */
interface Pending {
  square: PixelSquare | undefined;
  missing: number;
}

interface SavedUnit {
  readonly key: string;
  readonly missing: number;
  readonly samples: FileRange | undefined;
  readonly mask: FileRange | undefined;
}

/** Can be saved in a checkpoint. */
export type PendingState = readonly SavedUnit[];

export interface FinishedUnit extends UnitPlace {
  readonly level: number;
  /** Undefined: no pixel of it is data. */
  readonly square: PixelSquare | undefined;
}

interface UnitsOfLevels {
  readonly shape: RasterShape;
  readonly levels: readonly Level[];
  readonly take: TakeSquare;
}

/** Units of overviews that are being put together. */
export interface PendingUnits {
  /** Adds a unit to its parent. @returns the parent, when this was its last child */
  add(unit: FinishedUnit): FinishedUnit | undefined;
  save(path: string): PendingState;
}

export function openPendingUnits(
  { shape, levels, take }: UnitsOfLevels,
  former: PendingState = [],
): PendingUnits {
  const pending = new Map<string, Pending>(former.map((unit) => [unit.key, load(shape, unit)]));
  return {
    add({ level, column, row, square }) {
      const parent = levels[level + 1];
      if (parent === undefined) return undefined;
      const place = { column: column >> 1, row: row >> 1 };
      const key = [level + 1, place.column, place.row].join(' ');
      const own = pending.get(key) ?? { square: undefined, missing: childCount(levels[level]!, place) };
      pending.set(key, own);
      if (square) {
        own.square ??= take();
        const { width, height } = levels[level]!;
        const side = shape.unitSide;
        const quarter = {
          side,
          width: Math.min(side, width - column * side),
          height: Math.min(side, height - row * side),
          right: (column & 1) as 0 | 1,
          down: (row & 1) as 0 | 1,
        };
        halvePixels(own.square, square, { quarter, meaning: shape.meaning });
      }
      own.missing--;
      if (own.missing > 0) return undefined;
      pending.delete(key);
      return { level: level + 1, ...place, square: own.square };
    },
    save(path) {
      const file = openScratchFile(path);
      const put = (values: ArrayBufferView | undefined): FileRange | undefined => {
        if (!values) return undefined;
        const start = file.length;
        file.append(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
        return { path, start, end: file.length };
      };
      const units = [...pending].map(([key, { square, missing }]) => ({
        key,
        missing,
        samples: put(square?.samples),
        mask: put(square?.mask),
      }));
      file.flush();
      file.close();
      return units;
    },
  };
}

function childCount({ columns, rows }: Level, { column, row }: UnitPlace): number {
  return Math.min(2, columns - column * 2) * Math.min(2, rows - row * 2);
}

function load({ sampleType }: RasterShape, { missing, samples, mask }: SavedUnit): Pending {
  if (!samples) return { missing, square: undefined };
  return {
    missing,
    square: {
      samples: samplesOf(sampleType, bytesOf(samples).buffer as ArrayBuffer),
      ...(mask && { mask: bytesOf(mask) }),
    },
  };
}

function bytesOf(range: FileRange): Uint8Array {
  const bytes = new Uint8Array(range.end - range.start);
  readInto(bytes, 0, range);
  return bytes;
}
