import { clearGeometry, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import { endPart } from '../wkb/build-geometry.ts';
import { ewktSrid, readWkt } from '../wkt/read-wkt.ts';
import type { CellReader } from './cell-reader.ts';
import type { CoordinateColumns } from './coordinate-columns.ts';
import { parseAngle, parsePair } from './parse-angle.ts';

const nothing = /^(?:null|none|n\/?a|nan|-|\\n)?$/i;
const wkt =
  /^\s*(?:srid\s*=\s*\d+\s*;\s*)?(?:(?:multi)?(?:point|linestring|polygon|curve|surface)|geometrycollection|circularstring|compoundcurve|curvepolygon|polyhedralsurface|tin|triangle)\s*(?:z|m|zm)?\s*(?:\(|empty)/i;
/** Hexadecimal WKB, from its byte order and type on. */
const hex = /^\s*0[01](?:[0-9a-f]{2}){4,}\s*$/i;
const quotedLength = 40;

export function looksLikeGeometry(text: string): boolean {
  // The beginning is enough, and long white space must cost nothing.
  const start = text.slice(0, maxBeginningLength).trim();
  return wkt.test(start) || hex.test(start);
}

const maxBeginningLength = 1000;

function isNothing(text: string): boolean {
  return nothing.test(text.trim());
}

/** The SRID that EWKT or hexadecimal EWKB gives. */
export function sridOf(text: string): number | undefined {
  if (!hex.test(text.slice(0, 100))) return ewktSrid(text);
  const head = Buffer.from(text.trim().slice(0, 18), 'hex');
  if (head.length < 9) return undefined;
  const little = head[0] === 1;
  const type = little ? head.readUInt32LE(1) : head.readUInt32BE(1);
  if ((type & 0x20000000) === 0) return undefined;
  return little ? head.readUInt32LE(5) : head.readUInt32BE(5);
}

/**
 * Reads the geometry of a row; a row with a missing coordinate has none.
 * @param names column names, for messages
 * @param geometry overwritten
 * @returns the problem, if any; then the geometry is empty
 */
export function readCoordinates(
  reader: CellReader,
  columns: CoordinateColumns,
  names: readonly string[],
  geometry: GeometryBuffer,
): string | undefined {
  clearGeometry(geometry);
  if (columns.kind === 'pair') {
    const x = coordinate(reader, columns.x);
    const y = coordinate(reader, columns.y);
    if (x === undefined || y === undefined) return undefined;
    if (Number.isNaN(x) || Number.isNaN(y))
      return noCoordinate(reader, names, Number.isNaN(x) ? columns.x : columns.y);
    return putPoint(geometry, x, y);
  }
  const text = reader.text(columns.column);
  if (isNothing(text)) return undefined;
  if (columns.kind === 'wkt') {
    return hex.test(text) ? readWkb(Buffer.from(text.trim(), 'hex'), 0, geometry) : readWkt(text, geometry);
  }
  const pair = parsePair(text);
  if (pair === undefined) return noCoordinate(reader, names, columns.column);
  return columns.latitudeFirst ? putPoint(geometry, pair[1], pair[0]) : putPoint(geometry, pair[0], pair[1]);
}

function putPoint(geometry: GeometryBuffer, x: number, y: number): undefined {
  pushPosition(geometry, x, y);
  endPart(geometry, 'Point', 0);
}

/** Undefined where nothing stands, NaN where it is none. */
function coordinate(reader: CellReader, column: number): number | undefined {
  const value = reader.number(column);
  if (Number.isFinite(value)) return value;
  const text = reader.text(column);
  return isNothing(text) ? undefined : (parseAngle(text) ?? Number.NaN);
}

function noCoordinate(reader: CellReader, names: readonly string[], column: number): string {
  const text = JSON.stringify(reader.text(column).slice(0, quotedLength));
  return `${text} in the column "${names[column]}" is not a coordinate`;
}
