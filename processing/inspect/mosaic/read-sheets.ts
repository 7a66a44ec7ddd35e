import { BytesError } from '@platen/formats/bytes/bytes';
import { readSheetHeader, type SheetHeader } from '../../raster-source/sheet-header.ts';
import type { InspectionContext, Subject } from '../inspector.ts';
import { readSidecarFiles } from '../raster/sidecar-files.ts';
import { readEachSheet, type ReadSheets } from '../sheets/read-each-sheet.ts';

/**
 * Reads the headers of images and grids.
 * @param names all files of the folder, so that nothing is asked for that is not there
 */
export function readSheetHeaders(
  folder: Subject,
  sheets: readonly string[],
  {
    names,
    ...context
  }: { readonly names: ReadonlySet<string> } & Pick<InspectionContext, 'isOver' | 'signal'>,
): Promise<ReadSheets<SheetHeader>> {
  const known: Subject = {
    ...folder,
    find: async (path) => (names.has(path) ? folder.find(path) : undefined),
  };
  return readEachSheet(known, sheets, {
    ...context,
    async readHeader(file, name) {
      const readSidecars = () => readSidecarFiles(file);
      const header = await readSheetHeader({ name, bytes: file.bytes, readSidecars });
      if (header) return header;
      throw new BytesError('it is no image and no grid that is read here');
    },
  });
}
