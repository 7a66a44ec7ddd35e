/** The bytes behind the JSON of a GLB, and the views into them. */
export interface GlbBuffer {
  readonly bufferViews: Record<string, unknown>[];
  /** Appends bytes at a multiple of 8. @returns where they begin */
  append(bytes: Uint8Array): number;
  /** Appends bytes with a view of them. @returns the number of the view */
  addView(bytes: Uint8Array, more?: Record<string, unknown>): number;
  readonly length: number;
  content(): Uint8Array;
}

const alignment = 8;

export function createGlbBuffer(): GlbBuffer {
  const parts: Uint8Array[] = [];
  const bufferViews: Record<string, unknown>[] = [];
  let length = 0;
  const append = (bytes: Uint8Array): number => {
    const gap = (alignment - (length % alignment)) % alignment;
    if (gap > 0) parts.push(new Uint8Array(gap));
    const start = length + gap;
    parts.push(bytes);
    length = start + bytes.length;
    return start;
  };
  return {
    bufferViews,
    append,
    addView(bytes, more = {}) {
      const byteOffset = append(bytes);
      return bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length, ...more }) - 1;
    },
    get length() {
      return length;
    },
    content: () => Buffer.concat(parts),
  };
}

const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;
const magic = 0x46546c67;

/** Writes a binary glTF 2.0 (Khronos, glTF 2.0 specification, 4.4). */
export function writeGlb(json: object, binary: Uint8Array): Uint8Array {
  const text = padded(Buffer.from(JSON.stringify(json)), 0x20);
  const bytes = padded(binary, 0);
  const head = Buffer.alloc(20);
  const length = 20 + text.length + 8 + bytes.length;
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(length, 8);
  head.writeUInt32LE(text.length, 12);
  head.writeUInt32LE(jsonChunk, 16);
  const binaryHead = Buffer.alloc(8);
  binaryHead.writeUInt32LE(bytes.length, 0);
  binaryHead.writeUInt32LE(binaryChunk, 4);
  return Buffer.concat([head, text, binaryHead, bytes]);
}

/** Bytes filled up to a multiple of `multiple`. */
export function padded(bytes: Uint8Array, filler: number, multiple = 4): Uint8Array {
  const rest = (multiple - (bytes.length % multiple)) % multiple;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(rest, filler)]);
}
