import { growExtent } from '../mesh/extent.ts';
import { endRing, endSurface, isFull, pushVertex } from '../mesh/surface-buffer.ts';
import { readNumber, skipSeparators, type NumberCursor } from '../xml/read-numbers.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import type { CityModelScan } from './city-model.ts';
import type { ElementRole } from './element-role.ts';

/** Follows the polygons of a model into its sample, and all positions into its extent. */
export interface PolygonSampler {
  start(xml: XmlReader, role: ElementRole): void;
  positions(xml: XmlReader): void;
  end(role: ElementRole): void;
}

export function createPolygonSampler(scan: CityModelScan): PolygonSampler {
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  let dimension = 3;
  let isSampled = false;
  const take = (x: number, y: number, z: number): void => {
    growExtent(scan.extent, x, y, z);
    if (isSampled) pushVertex(scan.surfaces, x, y, z);
  };
  return {
    start(xml, role) {
      if (role === 'other' || role === 'cityObject') return;
      const given =
        xml.attribute('srsDimension') ?? (role === 'positions' ? xml.attribute('dimension') : undefined);
      if (given !== undefined) dimension = given === '2' ? 2 : 3;
      if (role === 'polygon') isSampled = !isFull(scan.surfaces);
    },
    positions(xml) {
      cursor.bytes = xml.bytes;
      cursor.at = xml.textStart;
      cursor.end = xml.textEnd;
      let [x, y, index] = [0, 0, 0];
      for (;;) {
        skipSeparators(cursor);
        if (cursor.at >= cursor.end) return;
        const value = readNumber(cursor);
        if (!Number.isFinite(value)) {
          scan.badPositions++;
          return;
        }
        const axis = index++ % dimension;
        if (axis === 0) x = value;
        else if (axis === 1) {
          y = value;
          if (dimension === 2) take(x, y, 0);
        } else take(x, y, value);
      }
    },
    end(role) {
      if (!isSampled) return;
      if (role === 'ring') endRing(scan.surfaces);
      else if (role === 'polygon') {
        endRing(scan.surfaces);
        endSurface(scan.surfaces);
        isSampled = false;
      }
    },
  };
}
