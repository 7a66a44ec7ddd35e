import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { isE57 } from '../e57/read-e57.ts';
import { openE57 } from '../e57/open-e57.ts';
import { isLas } from '../las/read-header.ts';
import { openLasPoints } from '../las/las-points.ts';
import type { TableColumns } from './point-table.ts';
import type { PointFile, PointSelection } from './point-file.ts';
import { isPly, openPly } from './ply/open-ply.ts';
import { openText } from './text/open-text.ts';
import type { TextScan } from './text/scan-text.ts';
import { guessTextLayout } from './text/text-layout.ts';

/** The formats of points that can be read. */
export type PointFormat = 'las' | 'e57' | 'ply' | 'text';

export interface OpenPointsOptions {
  /** What the columns of texts hold. */
  readonly columns?: TableColumns | undefined;
  /** Points of LAS that are marked as withheld are read, too. */
  readonly keepsWithheld?: boolean;
  /** Undefined: all but further numbers. */
  readonly selection?: PointSelection;
  /** What opening the same file before has found. */
  readonly scan?: unknown;
}

const headBytes = 1 << 16;

/** The format of a file of points by its beginning; undefined if it is none. */
export async function recognisePoints(
  bytes: Bytes,
  columns?: TableColumns,
): Promise<PointFormat | undefined> {
  const head = await bytes.read(0, headBytes);
  if (isLas(head)) return 'las';
  if (isE57(head)) return 'e57';
  if (isPly(head)) return 'ply';
  return guessTextLayout(head, head.length === bytes.size, columns) === undefined ? undefined : 'text';
}

/** Opens a file of points of any format. @throws BytesError if it is none, or damaged */
export async function openPoints(
  bytes: Bytes,
  { columns, keepsWithheld = false, selection, scan }: OpenPointsOptions = {},
): Promise<PointFile> {
  switch (await recognisePoints(bytes, columns)) {
    case 'las':
      return openLasPoints(bytes, { keepsWithheld, selection });
    case 'e57':
      return openE57(bytes, scan);
    case 'ply':
      return openPly(bytes, scan);
    case 'text': {
      const known = scan as TextScan | undefined;
      const head = known ? undefined : await bytes.read(0, headBytes);
      const layout = known?.layout ?? guessTextLayout(head!, head!.length === bytes.size, columns)!;
      return openText(bytes, layout, known && { scan: known });
    }
    case undefined:
      throw new BytesError('it is no point cloud');
  }
}
