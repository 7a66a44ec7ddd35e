import { BytesError } from '@platen/formats/bytes/bytes';
import type { InspectionContext, Subject } from '../inspector.ts';
import { fileWithin } from '../archive/parts-of-subject.ts';
import { readSidecarFiles } from '../raster/sidecar-files.ts';
import { readSheetHeader, type SheetHeader } from '../../raster-source/sheet-header.ts';

export interface ReadSheets {
  readonly headers: readonly SheetHeader[];
  /** Sheets that are damaged, with the reason. */
  readonly damaged: readonly { readonly name: string; readonly reason: string }[];
  /** Sheets that were looked at before the time was over. */
  readonly read: number;
}

/** Sheets that are read at a time: each waits for the disk or the service. */
const atOnce = 8;

/**
 * Reads the headers of sheets, from all over the list, so that those that there is no time for are missing everywhere alike.
 * @param names all files of the folder, so that nothing is asked for that is not there
 */
export async function readSheetHeaders(
  folder: Subject,
  sheets: readonly string[],
  {
    names,
    isOver,
    signal,
  }: { readonly names: ReadonlySet<string> } & Pick<InspectionContext, 'isOver' | 'signal'>,
): Promise<ReadSheets> {
  const known: Subject = {
    ...folder,
    find: async (path) => (names.has(path) ? folder.find(path) : undefined),
  };
  const found: (SheetHeader | undefined)[] = [];
  const damaged: { name: string; reason: string }[] = [];
  const order = spread(sheets.length);
  let next = 0;
  let read = 0;
  const work = async (): Promise<void> => {
    while (next < order.length && !isOver()) {
      signal.throwIfAborted();
      const number = order[next++]!;
      const name = sheets[number]!;
      const bytes = await known.find(name);
      read++;
      if (!bytes) continue;
      try {
        const file = fileWithin(known, name, bytes);
        const header = await readSheetHeader({ name, bytes, readSidecars: () => readSidecarFiles(file) });
        if (header) found[number] = header;
        else damaged.push({ name, reason: 'it is no image and no grid that is read here' });
      } catch (error) {
        if (!(error instanceof BytesError)) throw error;
        damaged.push({ name, reason: error.message });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const headers = found.filter((header) => header !== undefined);
  return { headers, damaged: damaged.toSorted((a, b) => (a.name < b.name ? -1 : 1)), read };
}

/** Numbers up to `count`, each of which is far from the last ones. */
function spread(count: number): number[] {
  const stride = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, count)) / 2));
  const order: number[] = [];
  for (let start = 0; start < stride; start++)
    for (let number = start; number < count; number += stride) order.push(number);
  return order;
}
