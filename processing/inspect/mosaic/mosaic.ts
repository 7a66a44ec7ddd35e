import type { SheetCoverage } from '@platen/geo/raster/sheet-coverage';
import type { Finding } from '../inspector.ts';
import type { PlacedSheets } from './place-sheets.ts';
import type { SheetHeader } from '../../raster-source/sheet-header.ts';
import type { ReadSheets } from '../sheets/read-each-sheet.ts';

/** What is known of a folder of sheets. */
export interface Mosaic {
  readonly folder: string;
  /** All of the folder. */
  readonly sheets: number;
  readonly read: ReadSheets<SheetHeader>;
  readonly places: PlacedSheets;
  /** Undefined: no sheet has a place, or there was no time for all. */
  readonly coverage: SheetCoverage | undefined;
  /** Some sheets inspected as files of their own. */
  readonly samples: readonly Finding[];
}
