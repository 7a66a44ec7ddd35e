import { BytesError } from '@platen/formats/bytes/bytes';
import { fileWithin } from '../archive/parts-of-subject.ts';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { InspectionContext, Subject } from '../inspector.ts';
import { spread } from '../vector/spread.ts';

export interface ReadSheets<T> {
  /** In the order of the list. */
  readonly headers: readonly T[];
  /** Sheets that are damaged, with the reason. */
  readonly damaged: readonly DamagedSheet[];
  /** Sheets that were looked at before the time was over. */
  readonly read: number;
}

export interface DamagedSheet {
  readonly name: string;
  readonly reason: string;
}

interface SheetReading<T> extends Pick<InspectionContext, 'isOver' | 'signal'> {
  /** @param name its path in the folder @returns undefined for what is no sheet @throws BytesError where it is damaged */
  readonly readHeader: (file: FileSubject, name: string) => Promise<T | undefined>;
}

/** Sheets that are read at a time: each waits for the disk or the service. */
const atOnce = 8;

/** Reads the headers of sheets, from all over the list, so that those that there is no time for are missing everywhere alike. */
export async function readEachSheet<T>(
  folder: Subject,
  sheets: readonly string[],
  { isOver, signal, readHeader }: SheetReading<T>,
): Promise<ReadSheets<T>> {
  const found: (T | undefined)[] = [];
  const damaged: DamagedSheet[] = [];
  const order = spread(sheets.length);
  let next = 0;
  let read = 0;
  const work = async (): Promise<void> => {
    while (next < order.length && !isOver()) {
      signal.throwIfAborted();
      const number = order[next++]!;
      const name = sheets[number]!;
      const bytes = await folder.find(name);
      read++;
      if (!bytes) continue;
      try {
        found[number] = await readHeader({ ...fileWithin(folder, name, bytes), bytes }, name);
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
