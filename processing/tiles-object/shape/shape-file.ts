import { openScratchFile, type FileRange } from '../../kit/scratch-file.ts';
import { createNameLists } from './name-lists.ts';
import { packShape } from './pack-shape.ts';
import type { Shape } from './shape.ts';

/** A scratch file of shapes. */
export interface ShapeFile {
  readonly path: string;
  readonly length: number;
  /** The bytes of a shape in this file; valid until the next is packed. */
  pack(shape: Shape): Uint8Array;
  /** Appends what was packed last. */
  append(packed: Uint8Array): FileRange;
  /** Until then, nobody can read what was appended. */
  flush(): void;
  close(): void;
}

export function openShapeFile(path: string): ShapeFile {
  const file = openScratchFile(path);
  const append = (bytes: Uint8Array): number => {
    const start = file.length;
    file.append(bytes);
    return start;
  };
  const listOf = createNameLists(append);
  return {
    path,
    get length() {
      return file.length;
    },
    pack: (shape) => packShape(shape, listOf(shape)),
    append(packed) {
      const start = append(packed);
      return { path, start, end: start + packed.length };
    },
    flush: () => file.flush(),
    close: () => file.close(),
  };
}
