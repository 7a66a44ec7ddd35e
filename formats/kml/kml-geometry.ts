import { clearGeometry, type GeometryBuffer, type GeometryType } from '../feature/geometry-buffer.ts';
import { dropRings, endPart, endRing } from '../wkb/build-geometry.ts';
import { pushHeight, pushPosition } from '../feature/geometry-buffer.ts';
import { readNumberList, readTuples, type NumberCursor } from '../xml/read-numbers.ts';

/** Builds the geometry of one Placemark from the elements as they come. */
export interface KmlGeometry {
  start(element: string): void;
  /** Reads the text of `coordinates` or `gx:coord`. @returns the problem, if any */
  text(element: string, cursor: NumberCursor): string | undefined;
  /** @returns the problem, if any */
  end(element: string): string | undefined;
  clear(): void;
}

const types: Readonly<Record<string, GeometryType>> = {
  Point: 'Point',
  LineString: 'LineString',
  LinearRing: 'LineString',
  Track: 'LineString',
  Polygon: 'Polygon',
};

export function createKmlGeometry(geometry: GeometryBuffer): KmlGeometry {
  /** The element that is a part; a LinearRing of a Polygon is none. */
  let open: string | undefined;
  let polygonStart = 0;
  let positionStart = 0;
  let hasOuter = false;
  let boundary = '';
  return {
    clear() {
      clearGeometry(geometry);
      open = undefined;
    },
    start(element) {
      if (element === 'outerBoundaryIs' || element === 'innerBoundaryIs') boundary = element;
      if (open !== undefined || types[element] === undefined) return;
      open = element;
      polygonStart = geometry.polygonEnds.length;
      positionStart = geometry.positionCount;
      hasOuter = false;
    },
    text(element, cursor) {
      if (open === undefined) return undefined;
      if (element === 'coordinates') return readTuples(cursor, geometry);
      const numbers: number[] = [];
      const problem = readNumberList(cursor, (value) => numbers.push(value));
      if (problem !== undefined) return problem;
      if (numbers.length < 2) return 'a gx:coord has only one number';
      pushPosition(geometry, numbers[0]!, numbers[1]!);
      pushHeight(geometry, numbers[2] ?? NaN);
      return undefined;
    },
    end(element) {
      if (element === 'LinearRing' && open === 'Polygon') {
        if (boundary === 'innerBoundaryIs' && !hasOuter) {
          dropRings(geometry, geometry.ringEnds.length);
          return 'a Polygon has a hole, but no outer boundary before it';
        }
        hasOuter ||= geometry.positionCount > positionStart;
        endRing(geometry);
      }
      if (element !== open) return undefined;
      open = undefined;
      const positions = geometry.positionCount - positionStart;
      if (element === 'Point' && positions > 1) return `a Point has ${positions} positions`;
      endPart(geometry, types[element]!, polygonStart);
      return undefined;
    },
  };
}

/** MultiGeometry is the only word KML has for several: members of one kind are what others call a multipart geometry. */
export function joinParts(geometry: GeometryBuffer): void {
  const { parts, ringEnds, polygonEnds, positionCount } = geometry;
  const type = parts[0]?.type;
  if (parts.length < 2 || type === undefined || parts.some((part) => part.type !== type)) return;
  if (type === 'Point') ringEnds.splice(0, ringEnds.length, positionCount);
  if (type !== 'Polygon') polygonEnds.splice(0, polygonEnds.length, ringEnds.length);
  parts.splice(0, parts.length, {
    type: `Multi${type}` as GeometryType,
    polygonStart: 0,
    polygonEnd: polygonEnds.length,
  });
}
