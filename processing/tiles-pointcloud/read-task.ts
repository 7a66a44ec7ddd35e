import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { BytesError } from '@platen/formats/bytes/bytes';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { olderColumns } from './compare/measure-distances.ts';
import { boxFilter } from './place/box-filter.ts';
import { openPlacing } from './place/place-sheet.ts';
import { selectionOf } from './record-columns.ts';
import { colourDepths } from './sheets/colour-depths.ts';
import { openSheetFile, type OpenSheetFile } from './sheets/open-sheet-file.ts';
import { createSpill } from './spill.ts';
import { createStatistics } from './statistics.ts';
import { boundsOf, createTaker, type TakenSheet } from './take-points.ts';
import type { ReadAnswer, Setup, Task } from './tasks.ts';
import { plainShape, rowShapeOf } from './tree/row-shape.ts';

interface OpenSheet extends TakenSheet {
  readonly file: OpenSheetFile;
}

const maxOpen = 8;

export interface PointReader {
  read(task: Extract<Task, { kind: 'read' }>): Promise<ReadAnswer>;
  /** Closes the files that are open. */
  close(): Promise<void>;
}

/** Reads parts of sheets: places their points in the tree's cube, and writes them by bucket. */
export function createReader(setup: Setup): PointReader {
  const { settings, sheets, olderFrom, heights, root, columns, buckets } = setup;
  const { folder, attempt, worker } = setup;
  const file = openScratchFile(join(folder, `points-${attempt}-${worker}`));
  const spill = createSpill(file, columns.count, (bucket) =>
    rowShapeOf(buckets.cells[bucket]!, root.sideBits, columns.count),
  );
  const olderFile = olderFrom < sheets.length && openScratchFile(join(folder, `older-${attempt}-${worker}`));
  const older = olderFile ? createSpill(olderFile, olderColumns, () => plainShape(olderColumns)) : spill;
  const selection = selectionOf(columns);
  const take = createTaker(setup, { spill, older });
  const depthOf = colourDepths(sheets.slice(0, olderFrom), settings);
  const closing: Promise<void>[] = [];
  const opened = new LRUCache<number, Promise<OpenSheet>>({
    max: maxOpen,
    dispose: (sheet) => void closing.push(closeSheet(sheet)),
  });
  const open = async (number: number): Promise<OpenSheet> => {
    const sheet = sheets[number]!;
    const context = {
      inputs: setup.inputs,
      warn: () => {},
      ...(setup.geoidFolder !== undefined && { geoidFolder: setup.geoidFolder }),
    };
    const place = await openPlacing(sheet, { heights, frame: root.frame, context });
    const { columns: named, keepsWithheld } = settings;
    const file = await openSheetFile(sheet.path, {
      columns: named,
      keepsWithheld,
      selection,
      scan: sheet.scan,
    });
    return {
      file,
      isOlder: number >= olderFrom,
      place,
      bounds: boundsOf(sheet),
      isWithin: number < olderFrom ? boxFilter(root.frame, sheet.box, settings.box) : undefined,
      // the older cloud gives places alone
      colourShift: number < olderFrom ? depthOf(number) - 8 : 0,
    };
  };
  const openOnce = (number: number): Promise<OpenSheet> => {
    let sheet = opened.get(number);
    if (sheet === undefined) opened.set(number, (sheet = open(number)));
    return sheet;
  };
  const read: PointReader['read'] = async ({ task, sheet, firstPart, endPart }) => {
    const statistics = createStatistics(columns);
    const warnings = createWarningCounter();
    const { name } = sheets[sheet]!;
    let failure: ReadAnswer['failure'];
    for (let part = firstPart; part < endPart; part++) {
      // what can be read of a damaged file must not depend on how many parts are read at once
      try {
        const one = await openOnce(sheet);
        const { points } = one.file;
        const blocks = (await points.readBlocks?.(part)) ?? [await points.readPart(part)];
        for (const block of blocks) take(block, one, statistics);
      } catch (error) {
        if (!(error instanceof BytesError)) throw error;
        const message = `Part ${part + 1} of ${name} cannot be read: ${error.message}.`;
        failure ??= { code: 'brokenFile', message };
        warnings.warn('unreadableSheet', message, { file: name });
      }
    }
    if (statistics.outside > 0)
      warnings.warn(
        'pointsOutside',
        `${name} has points outside of the box in its header.`,
        { file: name, points: statistics.outside },
        statistics.outside,
      );
    const ranges = (sheet < olderFrom ? spill : older).flush();
    return { kind: 'read', task, ranges, statistics, warnings: warnings.take(), failure };
  };
  return {
    read,
    async close() {
      opened.clear();
      await Promise.all(closing);
      file.close();
      if (olderFile) olderFile.close();
    },
  };
}

/** One that could not be opened is closed. */
async function closeSheet(sheet: Promise<OpenSheet>): Promise<void> {
  const open = await sheet.catch(() => undefined);
  await open?.file.close();
}
