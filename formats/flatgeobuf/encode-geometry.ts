import type { GeometryBuffer, GeometryPart, GeometryType } from '../feature/geometry-buffer.ts';
import { code } from '../wkb/build-geometry.ts';
import { startVector, writeTable, type FlatWriter } from './flat-writer.ts';

/** Polygons of a GeometryBuffer that are written as one geometry. */
interface Span extends Pick<GeometryPart, 'polygonStart' | 'polygonEnd'> {
  readonly code: number;
}

const codes: Readonly<Record<GeometryType, number>> = {
  Point: code.point,
  LineString: code.lineString,
  Polygon: code.polygon,
  MultiPoint: code.multiPoint,
  MultiLineString: code.multiLineString,
  MultiPolygon: code.multiPolygon,
};
const kinds: Readonly<Record<GeometryType, GeometryType>> = {
  Point: 'MultiPoint',
  MultiPoint: 'MultiPoint',
  LineString: 'MultiLineString',
  MultiLineString: 'MultiLineString',
  Polygon: 'MultiPolygon',
  MultiPolygon: 'MultiPolygon',
};

/**
 * The type that a geometry is written as: several parts of one kind become one multi-geometry, which every map draws.
 */
export function geometryCode({ parts }: GeometryBuffer): number {
  const first = parts[0]!;
  if (parts.length === 1) return codes[first.type];
  const kind = kinds[first.type];
  return parts.every(({ type }) => kinds[type] === kind) ? codes[kind] : code.collection;
}

/** Writes the table Geometry. @param link the position of the offset that shall point to it */
export function writeGeometry(writer: FlatWriter, link: number, geometry: GeometryBuffer): void {
  const { parts, polygonEnds } = geometry;
  const type = geometryCode(geometry);
  if (type !== code.collection) {
    return writeSpan(writer, link, geometry, { code: type, polygonStart: 0, polygonEnd: polygonEnds.length });
  }
  writeParts(
    writer,
    { link, geometry, code: type },
    parts.map(({ type: part, polygonStart, polygonEnd }) => ({
      code: codes[part],
      polygonStart,
      polygonEnd,
    })),
  );
}

/** Slots of the table Geometry: ends, xy, z, m, t, tm, type, parts. */
function writeParts(
  writer: FlatWriter,
  { link, geometry, code: type }: { link: number; geometry: GeometryBuffer; code: number },
  spans: readonly Span[],
): void {
  const fields = writeTable(writer, link, [0, 0, 0, 0, 0, 0, 1, 4]);
  writer.bytes[fields[6]!] = type;
  startVector(writer, fields[7]!, { count: spans.length, size: 4 });
  const first = writer.at;
  writer.at += spans.length * 4;
  for (const [i, span] of spans.entries()) writeSpan(writer, first + i * 4, geometry, span);
}

function writeSpan(writer: FlatWriter, link: number, geometry: GeometryBuffer, span: Span): void {
  const { polygonStart, polygonEnd } = span;
  if (span.code === code.multiPolygon) {
    const polygons = Array.from({ length: polygonEnd - polygonStart }, (_, i) => ({
      code: code.polygon,
      polygonStart: polygonStart + i,
      polygonEnd: polygonStart + i + 1,
    }));
    return writeParts(writer, { link, geometry, code: span.code }, polygons);
  }
  const { ringEnds, polygonEnds } = geometry;
  const ringStart = polygonStart === 0 ? 0 : polygonEnds[polygonStart - 1]!;
  const ringEnd = polygonEnds[polygonEnd - 1]!;
  const inRings = span.code === code.polygon || span.code === code.multiLineString;
  const ended = inRings && ringEnd - ringStart > 1;
  const fields = writeTable(writer, link, [ended ? 4 : 0, 4, 0, 0, 0, 0, 1]);
  writer.bytes[fields[6]!] = span.code;
  const start = ringStart === 0 ? 0 : ringEnds[ringStart - 1]!;
  if (ended) {
    startVector(writer, fields[0]!, { count: ringEnd - ringStart, size: 4 });
    for (let ring = ringStart; ring < ringEnd; ring++, writer.at += 4) {
      writer.view.setUint32(writer.at, ringEnds[ring]! - start, true);
    }
  }
  writeCoordinates(writer, fields[1]!, geometry.coordinates.subarray(start * 2, ringEnds[ringEnd - 1]! * 2));
}

function writeCoordinates(writer: FlatWriter, link: number, coordinates: Float64Array): void {
  startVector(writer, link, { count: coordinates.length, size: 8 });
  const { view } = writer;
  let { at } = writer;
  for (let i = 0; i < coordinates.length; i++, at += 8) view.setFloat64(at, coordinates[i]!, true);
  writer.at = at;
}
