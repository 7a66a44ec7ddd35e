import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';
import { findPointSheets, type FindOptions, type FoundSheets } from '../sheets/find-sheets.ts';
import type { PointSheet } from '../sheets/sheet.ts';

export interface ComparedSheets extends FoundSheets {
  /** The number of the first sheet of the older cloud. */
  readonly olderFrom: number;
}

/** All sheets, and behind them those of the older cloud. */
export async function addOlder(
  found: FoundSheets,
  inputs: readonly JobInput[],
  { find, context }: { readonly find: FindOptions; readonly context: JobContext },
): Promise<ComparedSheets> {
  const { sheets, heights, contents } = found;
  const olderFrom = sheets.length;
  if (inputs.length === 0) return { ...found, olderFrom };
  const older = await findPointSheets({ ...find, takesTilesets: true }, { ...context, inputs });
  if (!older.sheets.some(({ box }) => sheets.some((sheet) => overlap(box, sheet.box))))
    throw new JobFailure(
      'nothingUsable',
      `The older point cloud ${inputs[0]!.name} lies elsewhere than the others, so nothing can be compared. Check the coordinate systems, or leave out processing.compareTo.`,
    );
  const moved = older.sheets.map((sheet): PointSheet => {
    const { heightsOf } = sheet;
    return Object.assign(sheet, {
      heightsOf: heightsOf === undefined ? undefined : heightsOf + heights.length,
    });
  });
  return {
    sheets: [...sheets, ...moved],
    contents: [...contents, ...older.contents],
    heights: [...heights, ...older.heights],
    olderFrom,
  };
}

function overlap(a: PointSheet['box'], b: PointSheet['box']): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
