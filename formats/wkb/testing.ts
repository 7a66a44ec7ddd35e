import type { GeometryBuffer } from '../feature/geometry-buffer.ts';

/** A part as GeoJSON would have it, though always positions in rings in polygons. */
export type PlainPart = readonly [type: string, polygons: number[][][][]];

export function plainParts({ parts, polygonEnds, ringEnds, coordinates }: GeometryBuffer): PlainPart[] {
  const slice = (ends: readonly number[], from: number, to: number): [number, number][] =>
    ends.slice(from, to).map((end, i) => [from + i === 0 ? 0 : ends[from + i - 1]!, end]);
  return parts.map(({ type, polygonStart, polygonEnd }) => [
    type,
    slice(polygonEnds, polygonStart, polygonEnd).map(([firstRing, ringEnd]) =>
      slice(ringEnds, firstRing, ringEnd).map(([first, end]) =>
        Array.from({ length: end - first }, (_, i) => [
          coordinates[(first + i) * 2]!,
          coordinates[(first + i) * 2 + 1]!,
        ]),
      ),
    ),
  ]);
}

export interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

const depths: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** The expected result of reading a GeoJSON geometry. */
export function expectedParts(geometry: Geometry | null): PlainPart[] {
  if (geometry === null) return [];
  if (geometry.geometries !== undefined) return geometry.geometries.flatMap(expectedParts);
  let polygons = geometry.coordinates;
  for (let depth = depths[geometry.type]!; depth < 3; depth++) polygons = [polygons];
  const cut = (polygons as number[][][][]).map((rings) =>
    rings.map((ring) => ring.map(([x, y]) => [x!, y!])),
  );
  return [[geometry.type, cut]];
}

/** Random integers from 0 to below a bound, the same in every run; neighbouring seeds share nothing. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // The finaliser of MurmurHash3 over a Weyl sequence.
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return Math.floor((((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * below);
  };
}

/** A copy with flipped, replaced and enlarged bytes, which may be cut off. */
export function mutate(bytes: Uint8Array, seed: number): Uint8Array {
  const random = seeded(seed);
  // Not slice: Buffer.slice does not copy.
  let copy = new Uint8Array(bytes);
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(copy.length);
    const kind = random(4);
    if (kind === 0) copy[at]! ^= 1 << random(8);
    else if (kind === 1) copy[at] = random(256);
    else if (kind === 2) copy.fill(255, at, Math.min(at + 4, copy.length));
    else if (copy.length > 64 && random(3) === 0) copy = copy.slice(0, at);
  }
  return copy;
}

export interface WkbStyle {
  /** EWKB rather than ISO. */
  readonly extended: boolean;
  readonly z: boolean;
  readonly m: boolean;
  /** EWKB only. */
  readonly srid: boolean;
  /** Byte order of each geometry in turn, repeated cyclically; true is little-endian. */
  readonly orders: readonly boolean[];
}

/** Little-endian ISO WKB in two dimensions. */
export const plainWkb: WkbStyle = { extended: false, z: false, m: false, srid: false, orders: [true] };

const names = (
  'Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection CircularString ' +
  'CompoundCurve CurvePolygon MultiCurve MultiSurface Curve Surface PolyhedralSurface TIN Triangle'
).split(' ');
const memberNames: Readonly<Record<string, string>> = {
  MultiPoint: 'Point',
  MultiLineString: 'LineString',
  MultiPolygon: 'Polygon',
  PolyhedralSurface: 'Polygon',
  TIN: 'Triangle',
};

/** Plain and slow: written apart from the reader that it tests. */
export function encodeWkb(geometry: Geometry, style: WkbStyle): Uint8Array {
  const bytes: number[] = [];
  let written = 0;
  const put = (size: number, set: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    bytes.push(...new Uint8Array(view.buffer));
  };
  const encode = ({ type, coordinates, geometries }: Geometry): void => {
    const little = style.orders[written++ % style.orders.length]!;
    const u32 = (value: number): void => put(4, (view) => view.setUint32(0, value, little));
    const position = (values: readonly number[]): void => {
      for (const value of [values[0]!, values[1]!, ...(style.z ? [7] : []), ...(style.m ? [8] : [])]) {
        put(8, (view) => view.setFloat64(0, value, little));
      }
    };
    const run = (positions: readonly number[][]): void => {
      u32(positions.length);
      positions.forEach(position);
    };
    const code = names.indexOf(type) + 1;
    bytes.push(little ? 1 : 0);
    if (style.extended) {
      u32((code | (style.z ? 1 << 31 : 0) | (style.m ? 1 << 30 : 0) | (style.srid ? 1 << 29 : 0)) >>> 0);
      if (style.srid) u32(4326);
    } else u32(code + (style.z ? 1000 : 0) + (style.m ? 2000 : 0));
    const children =
      geometries ??
      (memberNames[type] === undefined
        ? undefined
        : (coordinates as unknown[]).map((member) => ({
            type: memberNames[type]!,
            coordinates: member,
          })));
    if (children !== undefined) {
      u32(children.length);
      children.forEach(encode);
    } else if (type === 'Point') position(coordinates as number[]);
    else if (type === 'Polygon' || type === 'Triangle') {
      u32((coordinates as unknown[]).length);
      (coordinates as number[][][]).forEach(run);
    } else run(coordinates as number[][]);
  };
  encode(geometry);
  return Uint8Array.from(bytes);
}
