import { createByteWriter, reserveBytes, writeVarint, type ByteWriter } from './byte-writer.ts';

/** Writes geometry commands (MVT 2.1, 4.3). Each position is relative to the previous one. */
export interface CommandWriter extends ByteWriter {
  x: number;
  y: number;
}

const moveTo = 1;
const lineTo = 2;
const closePath = 7;
/** Two integers of up to five bytes. */
const maxPositionBytes = 10;

export function createCommandWriter(): CommandWriter {
  return { ...createByteWriter(1 << 16), x: 0, y: 0 };
}

/** Starts a new geometry. */
export function beginGeometry(commands: CommandWriter): void {
  commands.length = 0;
  commands.x = 0;
  commands.y = 0;
}

export function writePoints(commands: CommandWriter, xy: Float64Array, count: number): void {
  writeVarint(commands, moveTo | (count << 3));
  writePositions(commands, xy, 0, count);
}

/** @param count vertices, at least two */
export function writeLine(commands: CommandWriter, xy: Float64Array, count: number): void {
  writeVarint(commands, moveTo | (1 << 3));
  writePositions(commands, xy, 0, 1);
  writeVarint(commands, lineTo | ((count - 1) << 3));
  writePositions(commands, xy, 1, count);
}

/** @param end exclusive; the first vertex is not repeated */
export function writeRing(commands: CommandWriter, xy: Float64Array, start: number, end: number): void {
  writeVarint(commands, moveTo | (1 << 3));
  writePositions(commands, xy, start, start + 1);
  writeVarint(commands, lineTo | ((end - start - 1) << 3));
  writePositions(commands, xy, start + 1, end);
  writeVarint(commands, closePath | (1 << 3));
}

function writePositions(commands: CommandWriter, xy: Float64Array, start: number, end: number): void {
  reserveBytes(commands, (end - start) * maxPositionBytes);
  const { bytes } = commands;
  let at = commands.length;
  let lastX = commands.x;
  let lastY = commands.y;
  for (let i = start * 2; i < end * 2; i += 2) {
    const x = xy[i]! | 0;
    const y = xy[i + 1]! | 0;
    const dx = x - lastX;
    const dy = y - lastY;
    // Zigzag encoding keeps small numbers of either sign short.
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
    lastX = x;
    lastY = y;
  }
  commands.length = at;
  commands.x = lastX;
  commands.y = lastY;
}
