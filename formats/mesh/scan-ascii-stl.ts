import { readNumber, skipSpaces, type NumberCursor } from '../xml/read-numbers.ts';
import { eachLine } from './each-line.ts';
import { emptyExtent, growExtent, type Extent } from './extent.ts';
import {
  createSurfaceBuffer,
  endRing,
  endSurface,
  isFull,
  pushVertex,
  type SurfaceBuffer,
} from './surface-buffer.ts';

export interface AsciiStlScan {
  triangles: number;
  /** Whether the last solid has its end. */
  isClosed: boolean;
  badLines: number;
  readonly extent: Extent;
  readonly surfaces: SurfaceBuffer;
}

const maxPositions = 400_000;

export async function scanAsciiStl(chunks: AsyncIterable<Uint8Array>): Promise<AsciiStlScan> {
  const scan: AsciiStlScan = {
    triangles: 0,
    isClosed: false,
    badLines: 0,
    extent: emptyExtent(),
    surfaces: createSurfaceBuffer(maxPositions),
  };
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  const next = (): number => {
    skipSpaces(cursor);
    return readNumber(cursor);
  };
  await eachLine(chunks, (bytes, from, end) => {
    let start = from;
    while (start < end && bytes[start]! <= 32) start++;
    const word = bytes.toString('latin1', start, Math.min(end, start + 8));
    if (word.startsWith('vertex')) {
      cursor.bytes = bytes;
      cursor.at = start + 6;
      cursor.end = end;
      const [x, y, z] = [next(), next(), next()];
      if (!Number.isFinite(x + y + z)) scan.badLines++;
      growExtent(scan.extent, x, y, z);
      if (!isFull(scan.surfaces)) pushVertex(scan.surfaces, x, y, z);
    } else if (word.startsWith('endfacet')) {
      scan.triangles++;
      endRing(scan.surfaces);
      endSurface(scan.surfaces);
    } else if (word.startsWith('endsolid')) scan.isClosed = true;
    else if (word.startsWith('solid')) scan.isClosed = false;
  });
  return scan;
}
