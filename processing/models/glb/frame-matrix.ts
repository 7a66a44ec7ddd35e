import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Vector } from '@platen/geo/geodesy/geocentric';

/** From the axes of a tile to EPSG:4978, turned to the y-up space of glTF, as the engine turns it back. */
export function frameMatrix({ origin, east, north, up }: LocalFrame): number[] {
  const toYUp = ([x, y, z]: Vector): [number, number, number] => [x, z, -y];
  const south: Vector = [-north[0], -north[1], -north[2]];
  return [...toYUp(east), 0, ...toYUp(up), 0, ...toYUp(south), 0, ...toYUp(origin), 1];
}
