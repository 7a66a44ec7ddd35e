import type { PlyHeader } from '../mesh/ply.ts';
import { readNumber, skipSpaces } from '../xml/read-numbers.ts';

/** Reads the values of a PLY one after the other. NaN behind its end. */
export interface PlyValues {
  readonly next: (type: string) => number;
  readonly isOver: () => boolean;
}

type Get = (view: DataView, at: number, isLittle: boolean) => number;

const types: Readonly<Record<string, readonly [bytes: number, get: Get]>> = {
  char: [1, (view, at) => view.getInt8(at)],
  uchar: [1, (view, at) => view.getUint8(at)],
  short: [2, (view, at, isLittle) => view.getInt16(at, isLittle)],
  ushort: [2, (view, at, isLittle) => view.getUint16(at, isLittle)],
  int: [4, (view, at, isLittle) => view.getInt32(at, isLittle)],
  uint: [4, (view, at, isLittle) => view.getUint32(at, isLittle)],
  float: [4, (view, at, isLittle) => view.getFloat32(at, isLittle)],
  double: [8, (view, at, isLittle) => view.getFloat64(at, isLittle)],
};
const aliases: Readonly<Record<string, string>> = {
  int8: 'char', uint8: 'uchar', int16: 'short', uint16: 'ushort', int32: 'int', uint32: 'uint',
  float32: 'float', float64: 'double',
}; // prettier-ignore

/** The bytes of a number of this type, and how it is read; undefined for a type that does not exist. */
export const numberType = (type: string): readonly [bytes: number, get: Get] | undefined =>
  types[aliases[type] ?? type];

/** The largest value of an integer type: colours are shares of it. 1 for floats. */
export function largestOf(type: string): number {
  const name = aliases[type] ?? type;
  return (
    { char: 127, uchar: 255, short: 32_767, ushort: 65_535, int: 2 ** 31 - 1, uint: 2 ** 32 - 1 }[name] ?? 1
  );
}

export function openPlyValues(bytes: Uint8Array, { encoding, bytes: start }: PlyHeader): PlyValues {
  if (encoding === 'ascii') {
    const cursor = { bytes, at: start, end: bytes.length };
    return {
      next() {
        skipSpaces(cursor);
        const value = readNumber(cursor);
        // no number: skip the word, or it would be met for ever
        if (Number.isNaN(value)) while (cursor.at < cursor.end && bytes[cursor.at]! > 32) cursor.at++;
        return value;
      },
      isOver() {
        skipSpaces(cursor);
        return cursor.at >= cursor.end;
      },
    };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = encoding === 'binary_little_endian';
  let at = start;
  return {
    next(type) {
      const known = numberType(type);
      if (known === undefined || at + known[0] > bytes.length) {
        at = bytes.length;
        return NaN;
      }
      const value = known[1](view, at, isLittle);
      at += known[0];
      return value;
    },
    isOver: () => at >= bytes.length,
  };
}
