import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { BytesError } from '@platen/formats/bytes/bytes';
import type { PointBuffer } from '@platen/formats/points/point-buffer';
import type { TransformPlaces } from '@platen/geo/geodesy/lattice';
import { openScratchFile } from '../kit/scratch-file.ts';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { olderColumns } from './compare/measure-distances.ts';
import { boxFilter } from './place/box-filter.ts';
import { openPlacing } from './place/place-sheet.ts';
import { looseBox, unitsPerMetre } from './place/root-cube.ts';
import { selectionOf, writeWords } from './record-columns.ts';
import { colourDepths } from './sheets/colour-depths.ts';
import { openSheetFile, type OpenSheetFile } from './sheets/open-sheet-file.ts';
import { createSpill } from './spill.ts';
import { countPoint, createStatistics, type PointStatistics } from './statistics.ts';
import type { ReadAnswer, Setup, Task } from './tasks.ts';
import { bucketAt } from './tree/plan-buckets.ts';

interface OpenSheet {
  readonly file: OpenSheetFile;
  readonly place: TransformPlaces;
  /** Undefined: all. */
  readonly isWithin: ReturnType<typeof boxFilter>;
  readonly colourShift: number;
}

const maxOpen = 8;

export interface PointReader {
  read(task: Extract<Task, { kind: 'read' }>): Promise<ReadAnswer>;
  /** Closes the files that are open. */
  close(): Promise<void>;
}

/** Reads parts of sheets: places their points in the tree's cube, and writes them by bucket. */
export function createReader(setup: Setup): PointReader {
  const { settings, sheets, olderFrom, heights, root, columns, buckets, needed, olderNeeded } = setup;
  const { folder, attempt, worker } = setup;
  const file = openScratchFile(join(folder, `points-${attempt}-${worker}`));
  const spill = createSpill(file, columns.count);
  const olderFile = olderFrom < sheets.length && openScratchFile(join(folder, `older-${attempt}-${worker}`));
  const older = olderFile ? createSpill(olderFile, olderColumns) : spill;
  const selection = selectionOf(columns);
  const isWanted = pointFilter(settings);
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
      place,
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
  const side = 2 ** root.sideBits;
  const take = (
    points: PointBuffer,
    sheet: number,
    { place, isWithin, colourShift }: OpenSheet,
    to: PointStatistics,
  ): void => {
    const { places, count } = points;
    const isOlder = sheet >= olderFrom;
    const target = isOlder ? older : spill;
    const [low, high] = looseBox(sheets[sheet]!);
    const isKept = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      if (!isOlder && !isWanted(points, i)) {
        to.filtered++;
        continue;
      }
      isKept[i] = 1;
      for (let axis = 0; axis < 3; axis++) {
        const value = places[i * 3 + axis]!;
        if (value >= low[axis]! && value <= high[axis]!) continue;
        isKept[i] = 0;
        // the lattice is only made where there are points
        for (let other = 0; other < 3; other++) places[i * 3 + other] = sheets[sheet]!.min[other]!;
        to.outside++;
        break;
      }
    }
    place(places, count);
    for (let i = 0; i < count; i++) {
      if (isKept[i] === 0) continue;
      if (isWithin !== undefined && !isWithin(places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!)) {
        to.filtered++;
        continue;
      }
      const x = Math.round((places[i * 3]! - root.corner[0]) * unitsPerMetre);
      const y = Math.round((places[i * 3 + 1]! - root.corner[1]) * unitsPerMetre);
      const z = Math.round((places[i * 3 + 2]! - root.corner[2]) * unitsPerMetre);
      if (!(x >= 0 && y >= 0 && z >= 0 && x < side && y < side && z < side)) {
        // older points beyond the cube are too far from all others
        if (!isOlder) to.outside++;
        continue;
      }
      const bucket = bucketAt(buckets.children, root.sideBits - 1, x, y, z);
      if ((isOlder ? olderNeeded : needed)?.[bucket] === 0) continue;
      target.next(bucket);
      const { rows, at } = target;
      rows[at] = x;
      rows[at + 1] = y;
      rows[at + 2] = z;
      if (isOlder) continue;
      writeWords(rows, at, points, { i, columns, colourShift });
      countPoint(to, points, i, columns);
    }
    to.read += count;
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
        take(await one.file.points.readPart(part), sheet, one, statistics);
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

/** Whether a point is of the classes and returns to keep. */
function pointFilter({ classes, returns }: Setup['settings']): (points: PointBuffer, i: number) => boolean {
  const [kinds, numbers] = [classes && new Set(classes), returns && new Set(returns)];
  return (points, i) =>
    (kinds === undefined || kinds.has(points.classes?.[i] ?? 0)) &&
    (numbers === undefined || numbers.has((points.returns?.[i] ?? 0) & 15));
}
