import { BytesError } from '@platen/formats/bytes/bytes';
import type { TableColumns } from '@platen/formats/points/point-table';
import type { HeightOptions } from '../../heights/height-options.ts';
import { JobFailure, type JobContext } from '../../job-type.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { emitWarnings, type CountedWarning } from '../../kit/warning-counter.ts';
import type { KnownSheets } from '../../raster-source/known-sheets.ts';
import type { PlacementOptions } from '../../models/placement-options.ts';
import { openScanPlacing, type ScanPlacing } from '../place/place-scans.ts';
import { listPointFiles, type PointInput } from './list-files.ts';
import { locateSheet } from './locate-sheet.ts';
import { openSheetFile } from './open-sheet-file.ts';
import type { PointSheet, SheetHeights } from './sheet.ts';

export interface FoundSheets {
  readonly sheets: readonly PointSheet[];
  /** Equal for sheets with the same content, as far as it is known. */
  readonly contents: readonly (string | undefined)[];
  /** Each kind of heights once. */
  readonly heights: readonly SheetHeights[];
}

export interface FindOptions {
  readonly heights: HeightOptions;
  readonly placement: PlacementOptions;
  /** What the columns of texts hold. */
  readonly columns: TableColumns | undefined;
  readonly strict: boolean;
  /** Tilesets are read, too. */
  readonly takesTilesets?: boolean;
  /** A folder that exists, for unpacked archives. */
  readonly scratch: string;
  readonly known: KnownSheets<DescribedSheet>;
}

/** A sheet with what its own heights count from, and the warnings of opening it, which each run gives. */
export type DescribedSheet = Omit<PointSheet, 'heightsOf'> & {
  readonly facts: SheetHeights | undefined;
  readonly warnings: readonly CountedWarning[];
};

/** Finds all files of points among the inputs, and opens each. Those that cannot be read are left out with a warning. @throws JobFailure */
export async function findPointSheets(options: FindOptions, context: JobContext): Promise<FoundSheets> {
  const sheets: PointSheet[] = [];
  const contents: (string | undefined)[] = [];
  const heights: SheetHeights[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (facts: SheetHeights): number => {
    const key = JSON.stringify([facts.options, facts.facts.vertical, facts.facts.usual]);
    const number = numbers.get(key) ?? heights.push(facts) - 1;
    numbers.set(key, number);
    return number;
  };
  const placing = await openScanPlacing(options.placement, options.heights, context);
  const { known } = options;
  const isKnown = (file: PointInput): boolean => known.find(file) !== undefined;
  const files = await listPointFiles({ ...options, isKnown }, context);
  let failure: JobFailure | undefined;
  for (const file of files) {
    // files are read without waiting for anything else
    await takeTurn(context.signal);
    try {
      const { facts, warnings, ...sheet } =
        known.find(file) ?? known.add(file, await describe(file, { ...options, placing }));
      emitWarnings(warnings, context.warn);
      const heightsOf = facts && numberOf(facts);
      sheets.push({ ...sheet, heightsOf });
      contents.push(file.content);
    } catch (error) {
      failure = failureOf(error, file);
      if (options.strict || files.length === 1) throw failure;
      context.warn('unreadableSheet', failure.message, { file: file.name });
    }
  }
  if (sheets.length > 0) return { sheets, contents, heights };
  throw (
    failure ??
    new JobFailure(
      'notRecognised',
      'None of the inputs is a point cloud. Use LAS, LAZ, COPC, E57, PLY, PTX, PTS or a text with x, y and z in each row, or a zip file or folder with them.',
    )
  );
}

type Describing = Pick<FindOptions, 'heights' | 'columns'> & {
  readonly placing: ScanPlacing | undefined;
};

async function describe(file: PointInput, options: Describing): Promise<DescribedSheet> {
  const warnings: CountedWarning[] = [];
  const warn: JobContext['warn'] = (code, message, example, times = 1) =>
    void warnings.push({ code, message, times, examples: example === undefined ? [] : [example] });
  return { ...(await openSheet(file, options, { warn })), warnings };
}

async function openSheet(
  { path, name, crs: given }: PointInput,
  { heights: options, columns, placing }: Describing,
  { warn }: Pick<JobContext, 'warn'>,
): Promise<Omit<DescribedSheet, 'warnings'>> {
  const file = await openSheetFile(path, { columns });
  try {
    const { points } = file;
    for (const { code, message, times } of points.notes)
      warn(code, `${name} ${message}.`, { file: name, points: times }, times);
    const own = given ?? points.crs;
    const { crs, matrix } =
      own === undefined ? (placing ?? refuseUnplaced(name)) : { crs: own, matrix: points.matrix };
    const { min, max, hasColours, hasTimes, extras = [], partPoints, scan } = points;
    const vertical = given === undefined && own !== undefined ? points.vertical : undefined;
    const unlocated = { name, crs, vertical, matrix, min, max };
    return {
      path,
      name,
      min,
      max,
      hasColours,
      hasTimes,
      extras,
      partPoints,
      scan,
      crs,
      matrix,
      brightest: await points.brightest(),
      ...(await locateSheet(unlocated, { options, warn })),
    };
  } finally {
    await file.close();
  }
}

function refuseUnplaced(name: string): never {
  throw new JobFailure(
    'unknownCrs',
    `${name} does not say in which coordinate system it is. Set the coordinate system of the input in the task, such as EPSG:25832, or say in modelOptions.placement where its origin lies.`,
  );
}

function failureOf(error: unknown, { name }: PointInput): JobFailure {
  if (error instanceof JobFailure) return error;
  if (!(error instanceof BytesError)) throw error;
  return new JobFailure('brokenFile', `${name} cannot be read: ${error.message}.`, { cause: error });
}
