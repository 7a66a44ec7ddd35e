import { closeSync, openSync } from 'node:fs';
import { Deserializer, Serializer } from 'node:v8';
import { readAll } from '@platen/formats/bytes/file-appender';
import type { FileRange, ScratchFile } from '../../kit/scratch-file.ts';
import type { Shape } from './shape.ts';

/** The bytes of a shape. Unlike `serialize` of node:v8, it writes typed arrays natively; each must own its buffer. */
export function packShape(shape: Shape): Uint8Array {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(shape);
  return serializer.releaseBuffer();
}

/** Appends a shape to a scratch file. @returns its range; flush the file before others read it */
export function appendShape(file: ScratchFile, shape: Shape): FileRange {
  const bytes = packShape(shape);
  const start = file.length;
  file.append(bytes);
  return { path: file.path, start, end: start + bytes.length };
}

export function readShape(range: FileRange): Shape {
  return readShapes([range])[0]!;
}

/** Shapes in the order of their ranges. A file is opened once for all that follow each other in it. */
export function readShapes(ranges: readonly FileRange[]): Shape[] {
  let path: string | undefined;
  let file = -1;
  const close = (): void => {
    if (path !== undefined) closeSync(file);
  };
  try {
    return ranges.map((range) => {
      if (range.path !== path) {
        close();
        file = openSync(range.path, 'r');
        ({ path } = range);
      }
      const bytes = Buffer.allocUnsafe(range.end - range.start);
      readAll(file, bytes, range.start);
      const deserializer = new Deserializer(bytes);
      deserializer.readHeader();
      return deserializer.readValue() as Shape;
    });
  } finally {
    close();
  }
}
