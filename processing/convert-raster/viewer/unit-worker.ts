import { workerData, type Transferable } from 'node:worker_threads';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { serveTasks, transferred } from '../../kit/serve-tasks.ts';
import { openUnitSource, type BrokenSheet, type UnitSetup, type UnitTask } from './unit-source.ts';

/** A thread that makes the pixels of units. */
const broken: BrokenSheet[] = [];
const opened = openUnitSource(workerData as UnitSetup, new AbortController().signal, (...sheet) =>
  broken.push(sheet),
);

serveTasks(async ({ place, square }: UnitTask) => {
  const source = await opened;
  let isTaken = false;
  const take = (): PixelSquare => {
    if (isTaken) square.mask?.fill(0); // it has a part of a sheet that broke
    isTaken = true;
    return square;
  };
  const isEmpty = (await source.read(place, take)) === undefined;
  return transferred({ square, isEmpty, broken: broken.splice(0) }, buffersOf(square));
});

function buffersOf({ samples, mask }: PixelSquare): Transferable[] {
  return [samples, mask!].map(({ buffer }) => buffer as ArrayBuffer);
}
