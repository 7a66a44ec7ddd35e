import { pushPosition, type GeometryBuffer, type GeometryType } from '../feature/geometry-buffer.ts';
import { endPart, endPolygon, endRing } from '../wkb/build-geometry.ts';
import { isPosition, type Arcs, type Transform } from './arcs.ts';

/** A geometry object of a topology, not yet validated. */
export interface TopologyObject {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly properties?: unknown;
  readonly arcs?: unknown;
  readonly coordinates?: unknown;
  readonly geometries?: unknown;
}

const maxCollectionDepth = 64;

/** A geometry object is not valid. */
class ObjectFault extends Error {}

export interface DecodedTopology {
  readonly arcs: Arcs;
  readonly transform: Transform | undefined;
  /** Limit per feature: a small file may use an arc any number of times. */
  readonly maxPositions: number;
}

/** Appends the geometry of an object. @returns the problem, if any */
export function buildObject(
  geometry: GeometryBuffer,
  object: TopologyObject,
  { arcs, transform, maxPositions }: DecodedTopology,
): string | undefined {
  const [kx, ky] = transform?.scale ?? [1, 1];
  const [dx, dy] = transform?.translate ?? [0, 0];

  const point = (value: unknown): void => {
    if (!isPosition(value)) throw new ObjectFault('a position is not a pair of numbers');
    pushPosition(geometry, value[0]! * kx + dx, value[1]! * ky + dy);
  };
  /** A negative index ~i is arc i reversed. Consecutive arcs share a position. */
  const line = (indices: unknown): void => {
    for (const index of list(indices, 'the arcs of a line')) {
      if (!Number.isInteger(index))
        throw new ObjectFault(`${JSON.stringify(index)} is not the index of an arc`);
      const backwards = (index as number) < 0;
      const arc = backwards ? ~(index as number) : (index as number);
      if (arc >= arcs.count)
        throw new ObjectFault(`the arc ${arc} does not exist: the file has ${arcs.count} arcs`);
      const problem = arcs.problems.get(arc);
      if (problem !== undefined) throw new ObjectFault(problem);
      const first = arc === 0 ? 0 : arcs.ends[arc - 1]!;
      const end = arcs.ends[arc]!;
      const joins = geometry.positionCount > (geometry.ringEnds.at(-1) ?? 0) ? 1 : 0;
      for (let i = joins; i < end - first; i++) {
        const at = 2 * (backwards ? end - 1 - i : first + i);
        pushPosition(geometry, arcs.coordinates[at]!, arcs.coordinates[at + 1]!);
      }
      if (geometry.positionCount > maxPositions)
        throw new ObjectFault(`it has more than ${maxPositions} positions`);
    }
    endRing(geometry);
  };
  const polygon = (value: unknown): void => {
    for (const ring of list(value, 'the arcs of a polygon')) line(ring);
    endPolygon(geometry);
  };
  const builders: Readonly<Record<GeometryType, (object: TopologyObject) => void>> = {
    Point: ({ coordinates }) => point(coordinates),
    MultiPoint: ({ coordinates }) => list(coordinates, 'the coordinates of a MultiPoint').forEach(point),
    LineString: (own) => line(own.arcs),
    MultiLineString: (own) => list(own.arcs, 'the arcs of a MultiLineString').forEach(line),
    Polygon: (own) => polygon(own.arcs),
    MultiPolygon: (own) => list(own.arcs, 'the arcs of a MultiPolygon').forEach(polygon),
  };
  const build = (own: TopologyObject, depth: number): void => {
    const { type } = own;
    if (type === null || type === undefined) return;
    if (type === 'GeometryCollection') {
      if (depth > maxCollectionDepth) throw new ObjectFault('geometries are nested too deep');
      for (const member of list(own.geometries, 'the geometries of a GeometryCollection'))
        build(asObject(member), depth + 1);
      return;
    }
    if (typeof type !== 'string' || !Object.hasOwn(builders, type))
      throw new ObjectFault(`the geometry type ${JSON.stringify(type)} is unknown`);
    const polygonStart = geometry.polygonEnds.length;
    builders[type as GeometryType](own);
    endPart(geometry, type as GeometryType, polygonStart);
  };

  try {
    build(object, 0);
    return undefined;
  } catch (error) {
    if (error instanceof ObjectFault) return error.message;
    throw error;
  }
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ObjectFault(`${what} are not an array`);
  return value as unknown[];
}

function asObject(value: unknown): TopologyObject {
  if (typeof value !== 'object' || value === null) throw new ObjectFault('a geometry is not an object');
  return value as TopologyObject;
}
