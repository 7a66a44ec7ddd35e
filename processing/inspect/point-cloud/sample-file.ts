import type { PointBuffer } from '@platen/formats/points/point-buffer';
import type { PointFile } from '@platen/formats/points/point-file';
import { spread } from '../vector/spread.ts';
import type { PointSample } from './collect-points.ts';

const maxPoints = 400_000;

/** Points from all over a file, in units of its coordinates. @throws BytesError at the first part that is damaged */
export async function sampleFile(file: PointFile, isOver: () => boolean): Promise<PointSample> {
  const buffers: PointBuffer[] = [];
  let count = 0;
  for (const part of spread(file.partPoints.length)) {
    if (count >= maxPoints || (isOver() && count > 0)) break;
    const buffer = await file.readPart(part);
    buffers.push(buffer);
    count += buffer.count;
  }
  const places = new Float64Array(count * 3);
  const colours = file.hasColours ? new Uint16Array(count * 3) : undefined;
  const intensities = new Uint16Array(count);
  const classes = new Map<number, number>();
  let at = 0;
  for (const buffer of buffers) {
    places.set(buffer.places, at * 3);
    if (buffer.colours) colours?.set(buffer.colours, at * 3);
    if (buffer.intensities) intensities.set(buffer.intensities, at);
    for (const kind of buffer.classes ?? []) classes.set(kind, (classes.get(kind) ?? 0) + 1);
    at += buffer.count;
  }
  return { count, places, colours, intensities, classes };
}
