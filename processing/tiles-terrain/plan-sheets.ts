import { BytesError } from '@platen/formats/bytes/bytes';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { heightFactsOf } from '../heights/height-facts.ts';
import { openHeights, type HeightFacts, type OpenedHeights } from '../heights/open-heights.ts';
import type { HeightOptions } from '../heights/height-options.ts';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import { rejectInput } from '../raster-source/reject-sheets.ts';
import { boxOfSheet, pixelDegreesOf, type SheetBox } from './sheets/sheet-box.ts';
import { openSheet } from './sheets/open-sheet.ts';
import type { Sheet } from './sheets/sheet.ts';

/** A sheet with its place on Earth, and what its heights count from. */
export interface PlannedSheet extends Sheet {
  /** West, south, east, north in degrees; the east may exceed 180. */
  readonly box: SheetBox;
  /** Degrees of latitude that a pixel is high or wide, whichever is less. */
  readonly pixelDegrees: number;
  /** Sheets with the same number have the same transformation of heights. */
  readonly heightsOf: number;
  readonly facts: HeightFacts;
  readonly metresPerUnit: number;
}

export interface PlannedSheets {
  /** In the order in which they count: finer ones first, and among those the last input. */
  readonly sheets: readonly PlannedSheet[];
  /** What heights were taken for, for each kind of heights. */
  readonly heights: readonly OpenedHeights[];
}

interface PlanOptions {
  readonly strict: boolean;
  readonly heights: HeightOptions;
  readonly scratchPathOf: (number: number) => string;
}

interface OpenedSheet {
  readonly sheet: Sheet;
  readonly crs: Crs;
  readonly box: SheetBox;
  /** The number of the input. */
  readonly order: number;
}

/**
 * Opens all sheets once, to see where they are and what they count from. Those that cannot be read, or are not on Earth, are
 * left out with a warning. @throws JobFailure
 */
export async function planSheets(
  inputs: readonly JobInput[],
  options: PlanOptions,
  context: JobContext,
): Promise<PlannedSheets> {
  const found: OpenedSheet[] = [];
  let lastFailure: JobFailure | undefined;
  for (const [order, input] of inputs.entries()) {
    context.signal.throwIfAborted();
    try {
      const { signal } = context;
      const sheet = await openSheet(input, { scratchPath: options.scratchPathOf(order), signal });
      const crs = systemOf(sheet);
      found.push({ sheet, crs, box: boxOfSheet(sheet, crs), order });
    } catch (error) {
      lastFailure = failureOf(error, input);
      if (options.strict || inputs.length === 1) throw lastFailure;
      await rejectInput(input, lastFailure.message, context);
    }
  }
  if (found.length === 0) throw lastFailure ?? new JobFailure('emptyInput', 'The job has no input file.');
  const placed: (OpenedSheet & { readonly facts: HeightFacts })[] = [];
  for (const one of found) {
    const { sheet, crs, box } = one;
    const { name, vertical } = sheet;
    const place = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] as const;
    placed.push({ ...one, facts: await heightFactsOf({ name, vertical, crsCode: crs.code, place }) });
  }
  const kinds = new Map<string, { number: number; facts: HeightFacts; box: SheetBox }>();
  for (const { facts, box } of placed) {
    const key = JSON.stringify(facts);
    const kind = kinds.get(key) ?? { number: kinds.size, facts, box };
    kinds.set(key, { ...kind, box: unionOf(kind.box, box) });
  }
  const heights: OpenedHeights[] = [];
  for (const { facts, box } of kinds.values())
    heights.push(await openHeights(options.heights, { ...facts, box }, context));
  const sheets: (PlannedSheet & { readonly order: number })[] = [];
  for (const { sheet, crs, order, box, facts } of placed) {
    const kind = kinds.get(JSON.stringify(facts))!;
    const { metresPerUnit } = heights[kind.number]!.vertical;
    const pixelDegrees = pixelDegreesOf(sheet, crs);
    const all = { ...facts, box: kind.box };
    sheets.push({ ...sheet, box, pixelDegrees, heightsOf: kind.number, facts: all, metresPerUnit, order });
  }
  // of sizes that differ only by rounding, the later input counts
  const sizeOf = ({ pixelDegrees }: PlannedSheet): number => Math.round(Math.log2(pixelDegrees) * 16);
  const ordered = sheets.toSorted((a, b) => sizeOf(a) - sizeOf(b) || b.order - a.order);
  return {
    sheets: ordered.map(({ order: _order, ...sheet }) => sheet),
    heights,
  };
}

export function unionOf(
  one: SheetBox,
  other: SheetBox,
): [west: number, south: number, east: number, north: number] {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

function systemOf({ crs, name }: Sheet): Crs {
  try {
    return findCrs(crs);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${name}: ${error.message}`, { cause: error });
  }
}

function failureOf(error: unknown, { name }: JobInput): JobFailure {
  if (error instanceof JobFailure) return error;
  if (!(error instanceof BytesError)) throw error;
  return new JobFailure('brokenFile', `${name} cannot be read: ${error.message}.`, { cause: error });
}
