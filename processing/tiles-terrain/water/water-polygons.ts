import { LRUCache } from 'lru-cache';
import type { DegreeRings } from '@platen/geo/terrain/cells-in-rings';
import { readInto } from '../../kit/scratch-file.ts';

/** The polygons of water, in a scratch file. Shared by all threads. */
export interface WaterIndex {
  readonly path: string;
  /** West, south, east, north of each polygon in degrees. */
  readonly boxes: Float64Array;
  /** Of each polygon, where it begins in the file and where it ends. */
  readonly ranges: Float64Array;
}

export type DegreeBox = readonly [west: number, south: number, east: number, north: number];

export interface WaterPolygons {
  /** The numbers of polygons that reach into a box, but for those smaller than `minDegrees`. */
  within(box: DegreeBox, minDegrees: number): number[];
  boxOf(polygon: number): DegreeBox;
  ringsOf(polygon: number): DegreeRings;
}

/** Opens polygons for one thread. @param cacheBytes of those that stay in memory */
export function openWaterPolygons({ path, boxes, ranges }: WaterIndex, cacheBytes: number): WaterPolygons {
  const known = new LRUCache<number, DegreeRings>({
    maxSize: Math.max(1, Math.ceil(cacheBytes)),
    sizeCalculation: ({ coordinates }) => coordinates.byteLength + 64,
  });
  const read = (polygon: number): DegreeRings => {
    const [start, end] = [ranges[polygon * 2]!, ranges[polygon * 2 + 1]!];
    const words = new Float64Array((end - start) / 8);
    readInto(new Uint8Array(words.buffer), 0, { path, start, end });
    const rings = words[0]!;
    return { ringEnds: words.subarray(1, 1 + rings), coordinates: words.subarray(1 + rings) };
  };
  return {
    within([west, south, east, north], minDegrees) {
      const found: number[] = [];
      for (let polygon = 0, at = 0; at < boxes.length; polygon++, at += 4) {
        if (boxes[at]! >= east || boxes[at + 2]! <= west) continue;
        if (boxes[at + 1]! >= north || boxes[at + 3]! <= south) continue;
        if (Math.max(boxes[at + 2]! - boxes[at]!, boxes[at + 3]! - boxes[at + 1]!) < minDegrees) continue;
        found.push(polygon);
      }
      return found;
    },
    boxOf: (polygon) => [...boxes.subarray(polygon * 4, polygon * 4 + 4)] as unknown as DegreeBox,
    ringsOf(polygon) {
      let rings = known.get(polygon);
      if (rings === undefined) known.set(polygon, (rings = read(polygon)));
      return rings;
    },
  };
}
