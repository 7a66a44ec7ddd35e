import { reserveBytes, type ByteWriter } from '@platen/geo/mvt/byte-writer';
import type { GeometryBuffer, GeometryPart } from '../feature/geometry-buffer.ts';

const [comma, bracket, closingBracket, zero, minus, point] = [44, 91, 93, 48, 45, 46] as const;
const bytesOfPosition = 64;
const text = new TextEncoder();
const collection = text.encode('{"type":"GeometryCollection","geometries":[');
const endOfCollection = text.encode(']}');

/**
 * Writes a geometry as RFC 7946 wants it: outer rings counterclockwise, inner ones clockwise, all of them closed;
 * several parts are a GeometryCollection. Lines of one position and rings of fewer than three are dropped.
 * @returns false where nothing is left; then nothing is written
 */
export function writeGeometry(out: ByteWriter, geometry: GeometryBuffer, decimals: number): boolean {
  const parts = usableParts(geometry);
  if (parts.length === 0) return false;
  if (parts.length > 1) append(out, collection);
  for (const [i, part] of parts.entries()) {
    if (i > 0) appendByte(out, comma);
    writePart(out, geometry, part, decimals);
  }
  if (parts.length > 1) append(out, endOfCollection);
  return true;
}

/** The parts of a geometry with at least one point, line of two positions, or ring of three. */
export function usableParts(geometry: GeometryBuffer): GeometryPart[] {
  return geometry.parts.filter((part) => isUsable(geometry, part));
}

/** The positions of a ring: where it starts and ends, both even where nothing is in it. */
function ringAt({ ringEnds }: GeometryBuffer, ring: number): readonly [start: number, end: number] {
  return [ring === 0 ? 0 : ringEnds[ring - 1]!, ringEnds[ring]!];
}

function firstRing({ polygonEnds }: GeometryBuffer, polygon: number): number {
  return polygon === 0 ? 0 : polygonEnds[polygon - 1]!;
}

function isUsable(geometry: GeometryBuffer, part: GeometryPart): boolean {
  const { type, polygonStart, polygonEnd } = part;
  for (let polygon = polygonStart; polygon < polygonEnd; polygon++) {
    if (type === 'Polygon' || type === 'MultiPolygon') {
      if (isPolygon(geometry, polygon)) return true;
    } else {
      for (let ring = firstRing(geometry, polygon); ring < geometry.polygonEnds[polygon]!; ring++) {
        const [start, end] = ringAt(geometry, ring);
        if (end - start >= (type.endsWith('Point') ? 1 : 2)) return true;
      }
    }
  }
  return false;
}

function isPolygon(geometry: GeometryBuffer, polygon: number): boolean {
  const outer = firstRing(geometry, polygon);
  return outer < geometry.polygonEnds[polygon]! && isRing(geometry, outer);
}

/** Whether the ring has at least three positions besides the closing one. */
function isRing(geometry: GeometryBuffer, ring: number): boolean {
  const [start, end] = ringAt(geometry, ring);
  return end - start >= (isClosed(geometry, start, end) ? 4 : 3);
}

function isClosed({ coordinates }: GeometryBuffer, start: number, end: number): boolean {
  const last = (end - 1) * 2;
  return (
    end - start > 1 &&
    coordinates[start * 2] === coordinates[last] &&
    coordinates[start * 2 + 1] === coordinates[last + 1]
  );
}

function writePart(out: ByteWriter, geometry: GeometryBuffer, part: GeometryPart, decimals: number): void {
  const { type, polygonStart, polygonEnd } = part;
  const rings = firstRing(geometry, polygonStart);
  const endOfRings = geometry.polygonEnds[polygonEnd - 1]!;
  append(out, text.encode(`{"type":"${type}","coordinates":`));
  switch (type) {
    case 'Point':
      writePosition(out, geometry, ringAt(geometry, rings)[0], decimals);
      break;
    case 'MultiPoint':
      writeRun(out, geometry, [ringAt(geometry, rings)[0], ringAt(geometry, endOfRings - 1)[1]], decimals);
      break;
    case 'LineString':
      writeRun(out, geometry, ringAt(geometry, rings), decimals);
      break;
    case 'MultiLineString': {
      const isLine = (ring: number) => ringAt(geometry, ring)[1] - ringAt(geometry, ring)[0] > 1;
      writeList(out, numbersFrom(rings, endOfRings).filter(isLine), (ring) =>
        writeRun(out, geometry, ringAt(geometry, ring), decimals),
      );
      break;
    }
    case 'Polygon':
      writePolygon(out, geometry, polygonStart, decimals);
      break;
    case 'MultiPolygon':
      writeList(
        out,
        numbersFrom(polygonStart, polygonEnd).filter((polygon) => isPolygon(geometry, polygon)),
        (polygon) => writePolygon(out, geometry, polygon, decimals),
      );
  }
  appendByte(out, 125);
}

function numbersFrom(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

function writeList(out: ByteWriter, numbers: readonly number[], write: (number: number) => void): void {
  appendByte(out, bracket);
  for (const [i, number] of numbers.entries()) {
    if (i > 0) appendByte(out, comma);
    write(number);
  }
  appendByte(out, closingBracket);
}

function writePolygon(out: ByteWriter, geometry: GeometryBuffer, polygon: number, decimals: number): void {
  const outer = firstRing(geometry, polygon);
  const rings = numbersFrom(outer, geometry.polygonEnds[polygon]!).filter((ring) => isRing(geometry, ring));
  writeList(out, rings, (ring) => {
    const [start, end] = ringAt(geometry, ring);
    const closed = isClosed(geometry, start, end);
    const count = closed ? end - start - 1 : end - start;
    const isForwards = areaOf(geometry, start, count) > 0 === (ring === outer);
    appendByte(out, bracket);
    // the first position also closes the ring
    for (let i = 0; i <= count; i++) {
      if (i > 0) appendByte(out, comma);
      const at = i % count;
      writePosition(out, geometry, start + (isForwards || at === 0 ? at : count - at), decimals);
    }
    appendByte(out, closingBracket);
  });
}

/** Positive where it runs counterclockwise (y upwards). Measured from its first position, as that keeps the digits. */
function areaOf({ coordinates }: GeometryBuffer, start: number, count: number): number {
  const originX = coordinates[start * 2]!;
  const originY = coordinates[start * 2 + 1]!;
  let area = 0;
  let [x, y] = [0, 0];
  for (let i = 1; i < count; i++) {
    const nextX = coordinates[(start + i) * 2]! - originX;
    const nextY = coordinates[(start + i) * 2 + 1]! - originY;
    area += x * nextY - nextX * y;
    [x, y] = [nextX, nextY];
  }
  return area;
}

function writeRun(
  out: ByteWriter,
  geometry: GeometryBuffer,
  [start, end]: readonly [start: number, end: number],
  decimals: number,
): void {
  appendByte(out, bracket);
  for (let position = start; position < end; position++) {
    if (position > start) appendByte(out, comma);
    writePosition(out, geometry, position, decimals);
  }
  appendByte(out, closingBracket);
}

function writePosition(
  out: ByteWriter,
  { coordinates }: GeometryBuffer,
  position: number,
  decimals: number,
): void {
  reserveBytes(out, bytesOfPosition);
  const { bytes } = out;
  bytes[out.length++] = bracket;
  writeNumber(out, coordinates[position * 2]!, decimals);
  bytes[out.length++] = comma;
  writeNumber(out, coordinates[position * 2 + 1]!, decimals);
  bytes[out.length++] = closingBracket;
}

/** Rounded, without an exponent and without zeros at its end; below 10^9, and never more than 20 bytes. */
function writeNumber(out: ByteWriter, value: number, decimals: number): void {
  const { bytes } = out;
  const size = Math.abs(value);
  const scale = 10 ** decimals;
  let whole = Math.floor(size);
  let fraction = Math.round((size - whole) * scale);
  if (fraction === scale) {
    whole++;
    fraction = 0;
  }
  if (value < 0 && whole + fraction > 0) bytes[out.length++] = minus;
  writeDigits(out, whole, digitsOf(whole));
  if (fraction === 0) return;
  bytes[out.length++] = point;
  let places = decimals;
  while (fraction % 10 === 0) {
    fraction /= 10;
    places--;
  }
  writeDigits(out, fraction, places);
}

function digitsOf(whole: number): number {
  let digits = 1;
  for (let rest = whole; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  return digits;
}

function writeDigits(out: ByteWriter, value: number, digits: number): void {
  const { bytes } = out;
  for (let i = out.length + digits - 1; i >= out.length; i--) {
    const rest = Math.floor(value / 10);
    bytes[i] = zero + value - rest * 10;
    value = rest;
  }
  out.length += digits;
}

function append(out: ByteWriter, bytes: Uint8Array): void {
  reserveBytes(out, bytes.length);
  out.bytes.set(bytes, out.length);
  out.length += bytes.length;
}

function appendByte(out: ByteWriter, byte: number): void {
  reserveBytes(out, 1);
  out.bytes[out.length++] = byte;
}
