import { readBinaryCells } from './read-binary-cells.ts';
import { readTiffCells } from './read-tiff-cells.ts';
import type { CellReader, Sheet } from './sheet.ts';

/** @throws BytesError */
export async function openCells(sheet: Sheet, cacheBytes: number): Promise<CellReader> {
  return sheet.cells === 'geotiff' ? readTiffCells(sheet, cacheBytes) : readBinaryCells(sheet);
}
