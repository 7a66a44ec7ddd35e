import { createByteWriter, reserveBytes, writeVarint, type ByteWriter } from './byte-writer.ts';

/** Writes geometry commands; MVT 2.1, 4.3. Each position is told relative to the one before. */
export interface Pen extends ByteWriter {
  x: number;
  y: number;
}

const moveTo = 1;
const lineTo = 2;
const closePath = 7;
/** Two integers of up to five bytes. */
const longestPosition = 10;

export function createPen(): Pen {
  return { ...createByteWriter(1 << 16), x: 0, y: 0 };
}

/** Starts a new geometry. */
export function liftPen(pen: Pen): void {
  pen.length = 0;
  pen.x = 0;
  pen.y = 0;
}

/** `count` points. */
export function drawPoints(pen: Pen, xy: Float64Array, count: number): void {
  writeVarint(pen, moveTo | (count << 3));
  draw(pen, xy, 0, count);
}

/** A line of `count` vertices, two at least. */
export function drawLine(pen: Pen, xy: Float64Array, count: number): void {
  writeVarint(pen, moveTo | (1 << 3));
  draw(pen, xy, 0, 1);
  writeVarint(pen, lineTo | ((count - 1) << 3));
  draw(pen, xy, 1, count);
}

/** A ring of the vertices from `start` up to but without `end`, the first not repeated. */
export function drawRing(pen: Pen, xy: Float64Array, start: number, end: number): void {
  writeVarint(pen, moveTo | (1 << 3));
  draw(pen, xy, start, start + 1);
  writeVarint(pen, lineTo | ((end - start - 1) << 3));
  draw(pen, xy, start + 1, end);
  writeVarint(pen, closePath | (1 << 3));
}

function draw(pen: Pen, xy: Float64Array, start: number, end: number): void {
  reserveBytes(pen, (end - start) * longestPosition);
  const { bytes } = pen;
  let at = pen.length;
  let penX = pen.x;
  let penY = pen.y;
  for (let i = start * 2; i < end * 2; i += 2) {
    const x = xy[i]! | 0;
    const y = xy[i + 1]! | 0;
    const dx = x - penX;
    const dy = y - penY;
    // Zigzag: small numbers of either sign stay short.
    let value = ((dx << 1) ^ (dx >> 31)) >>> 0;
    while (value > 127) {
      bytes[at++] = (value & 127) | 128;
      value >>>= 7;
    }
    bytes[at++] = value;
    value = ((dy << 1) ^ (dy >> 31)) >>> 0;
    while (value > 127) {
      bytes[at++] = (value & 127) | 128;
      value >>>= 7;
    }
    bytes[at++] = value;
    penX = x;
    penY = y;
  }
  pen.length = at;
  pen.x = penX;
  pen.y = penY;
}
