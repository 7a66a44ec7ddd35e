import { deserialize, serialize } from 'node:v8';
import type { FileRange, ScratchFile } from '../../kit/scratch-file.ts';
import { readInto } from '../../kit/scratch-file.ts';
import type { Shape } from './shape.ts';

/** Appends a shape to a scratch file. @returns its range; flush the file before others read it */
export function appendShape(file: ScratchFile, shape: Shape): FileRange {
  const bytes = serialize(shape);
  const start = file.length;
  file.append(bytes);
  return { path: file.path, start, end: start + bytes.length };
}

export function readShape(range: FileRange): Shape {
  const bytes = new Uint8Array(range.end - range.start);
  readInto(bytes, 0, range);
  return deserialize(bytes) as Shape;
}
