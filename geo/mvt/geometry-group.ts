import { pointType, type ShapeType } from '../shape/shape.ts';
import {
  createByteWriter,
  varintAt,
  varintEnd,
  writeBytes,
  writeVarint,
  writeZigzag,
  zigzagAt,
  type ByteWriter,
} from './byte-writer.ts';
import type { CommandWriter } from './command-writer.ts';

/** Combines geometries of one type into a multi-geometry. */
export interface GeometryGroup {
  add(drawn: CommandWriter): void;
  /** The combined commands. */
  end(): ByteWriter;
}

export function createGeometryGroup(type: ShapeType): GeometryGroup {
  const body = createByteWriter(256);
  let points = 0;
  let x = 0;
  let y = 0;
  return {
    add(drawn) {
      const { bytes, length } = drawn;
      // The first command, and its position relative to the end of the previous geometry.
      const atX = varintEnd(bytes, 0);
      const atY = varintEnd(bytes, atX);
      if (type === pointType) points += varintAt(bytes, 0) >>> 3;
      else writeBytes(body, bytes, 0, atX);
      writeZigzag(body, zigzagAt(bytes, atX) - x);
      writeZigzag(body, zigzagAt(bytes, atY) - y);
      writeBytes(body, bytes, varintEnd(bytes, atY), length);
      ({ x, y } = drawn);
    },
    end() {
      if (type !== pointType) return body;
      const all = createByteWriter(body.length + 8);
      writeVarint(all, 1 | (points << 3));
      writeBytes(all, body.bytes, 0, body.length);
      return all;
    },
  };
}
