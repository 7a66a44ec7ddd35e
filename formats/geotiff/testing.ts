import { deflateSync, zstdCompressSync } from 'node:zlib';
import type { Bytes } from '../bytes/bytes.ts';

/** An image with interleaved samples. */
export interface WrittenImage {
  readonly width: number;
  readonly height: number;
  readonly bands?: number;
  readonly bits?: 1 | 2 | 4 | 8 | 16 | 32;
  /** 1 without sign, 2 with sign, 3 floats. */
  readonly sampleFormat?: 1 | 2 | 3;
  /** Size of tiles; absent: strips of 16 rows. */
  readonly tile?: number;
  readonly isDeflated?: boolean;
  readonly isZstd?: boolean;
  /** Stored in the place of each block. */
  readonly packed?: { readonly compression: number; readonly block: Buffer };
  /** The floating-point predictor. */
  readonly predictor?: 3;
  readonly subfileType?: number;
  readonly photometric?: number;
  readonly extraSamples?: readonly number[];
  /** SHORTs of further tags. */
  readonly more?: Readonly<Record<number, readonly number[]>>;
  readonly sample: (x: number, y: number, band: number) => number;
}

export interface WrittenTiff {
  readonly images: readonly WrittenImage[];
  readonly isBig?: boolean;
  readonly isLittle?: boolean;
  /** Key, place, count, value of each. */
  readonly keys?: readonly (readonly [number, number, number, number])[];
  readonly keyDoubles?: readonly number[];
  readonly keyTexts?: string;
  readonly scale?: readonly [number, number];
  readonly tie?: readonly number[];
  readonly transformation?: readonly number[];
  readonly noData?: string;
  readonly metadata?: string;
  /** The image's pixels first, as no COG has them. */
  readonly isImageFirst?: boolean;
}

interface Tag {
  readonly id: number;
  readonly type: 2 | 3 | 4 | 12 | 16;
  readonly values: readonly number[] | Buffer;
}

const sizes = { 2: 1, 3: 2, 4: 4, 12: 8, 16: 8 } as const;

/** A TIFF with all directories before the pixels, and the pixels of the last image first. */
export function writeTiff(written: WrittenTiff): Buffer {
  const { images, isBig = false, isLittle = true, isImageFirst = false } = written;
  const blocks = images.map((image) => blocksOf(image, isLittle));
  const order = images.map((_, i) => i);
  if (!isImageFirst) order.reverse();
  // twice: the first time only to know how long the directories are
  let offsets: number[][] = blocks.map((own) => own.map(() => 0));
  let head: Buffer = Buffer.alloc(0);
  for (let round = 0; round < 2; round++) {
    head = writeHead(written, blocks, offsets, { isBig, isLittle });
    let at = head.length;
    const placed: number[][] = blocks.map(() => []);
    for (const image of order) {
      for (const block of blocks[image]!) {
        placed[image]!.push(at);
        at += block.length;
      }
    }
    offsets = placed;
  }
  head = writeHead(written, blocks, offsets, { isBig, isLittle });
  return Buffer.concat([head, ...order.flatMap((image) => blocks[image]!)]);
}

function blocksOf(image: WrittenImage, isLittle: boolean): Buffer[] {
  const { width, height, tile, bands = 1, bits = 8, sampleFormat = 1, sample, isDeflated = false } = image;
  const [blockWidth, blockHeight] = tile === undefined ? [width, 16] : [tile, tile];
  const blocks: Buffer[] = [];
  for (let top = 0; top < height; top += blockHeight) {
    for (let left = 0; left < width; left += blockWidth) {
      const rows = tile === undefined ? Math.min(blockHeight, height - top) : blockHeight;
      if (bits < 8) {
        blocks.push(image.packed?.block ?? smallBlock(image, { left, top, width: blockWidth, rows }));
        continue;
      }
      const block = Buffer.alloc((rows * blockWidth * bands * bits) / 8);
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      const set = setters[`${sampleFormat}-${bits}`]!;
      for (let y = 0, at = 0; y < rows; y++) {
        for (let x = 0; x < blockWidth; x++) {
          for (let band = 0; band < bands; band++, at += bits / 8)
            set(
              view,
              at,
              sample(Math.min(width - 1, left + x), Math.min(height - 1, top + y), band),
              isLittle,
            );
        }
      }
      const stored = image.predictor === 3 ? predictFloats(block, { rows, isLittle }) : block;
      const packed = image.isZstd === true ? zstdCompressSync(stored) : stored;
      blocks.push(image.packed?.block ?? (isDeflated ? deflateSync(stored) : packed));
    }
  }
  return blocks;
}

/** Numbers of fewer bits than 8, as a text of bits. */
function smallBlock(
  { bands = 1, bits = 1, sample }: WrittenImage,
  { left, top, width, rows }: { left: number; top: number; width: number; rows: number },
): Buffer {
  const lines = Array.from({ length: rows }, (_, y) => {
    const numbers = Array.from({ length: width * bands }, (_unused, i) =>
      sample(left + Math.floor(i / bands), top + y, i % bands),
    );
    const text = numbers.map((number) => number.toString(2).padStart(bits, '0')).join('');
    return (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  });
  return Buffer.from(lines.flat());
}

/** Bytes of a line apart, the highest first, and each as the difference to the one before; of one band of 32 bits. */
function predictFloats(block: Buffer, { rows, isLittle }: { rows: number; isLittle: boolean }): Buffer {
  const line = block.length / rows;
  const stored = Buffer.alloc(block.length);
  for (let row = 0; row < rows; row++) {
    const start = row * line;
    for (let i = 0; i < line; i += 4)
      for (let byte = 0; byte < 4; byte++)
        stored[start + byte * (line / 4) + i / 4] = block[start + i + (isLittle ? 3 - byte : byte)]!;
    for (let i = line - 1; i > 0; i--) stored[start + i]! -= stored[start + i - 1]!;
  }
  return stored;
}

type Setter = (view: DataView, at: number, value: number, isLittle: boolean) => void;

const setters: Readonly<Record<string, Setter>> = {
  '1-8': (view, at, value) => view.setUint8(at, value),
  '2-8': (view, at, value) => view.setInt8(at, value),
  '1-16': (view, at, value, isLittle) => view.setUint16(at, value, isLittle),
  '2-16': (view, at, value, isLittle) => view.setInt16(at, value, isLittle),
  '3-32': (view, at, value, isLittle) => view.setFloat32(at, value, isLittle),
};

interface Layout {
  readonly isBig: boolean;
  readonly isLittle: boolean;
}

function writeHead(
  written: WrittenTiff,
  blocks: readonly (readonly Buffer[])[],
  offsets: readonly (readonly number[])[],
  layout: Layout,
): Buffer {
  const { isBig, isLittle } = layout;
  const start = Buffer.alloc(isBig ? 16 : 8);
  const view = new DataView(start.buffer, start.byteOffset, start.length);
  start.write(isLittle ? 'II' : 'MM');
  view.setUint16(2, isBig ? 43 : 42, isLittle);
  if (isBig) {
    view.setUint16(4, 8, isLittle);
    view.setBigUint64(8, 16n, isLittle);
  } else view.setUint32(4, 8, isLittle);
  const parts: Buffer[] = [start];
  let at = start.length;
  for (const [i, image] of written.images.entries()) {
    const tags = tagsOf(image, i === 0 ? written : undefined, {
      offsets: offsets[i]!,
      counts: blocks[i]!.map(({ length }) => length),
      isBig,
    });
    const directory = writeDirectory(tags, { at, isLast: i === written.images.length - 1, ...layout });
    parts.push(directory);
    at += directory.length;
  }
  return Buffer.concat(parts);
}

interface Blocks {
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
  readonly isBig: boolean;
}

function tagsOf(
  image: WrittenImage,
  main: WrittenTiff | undefined,
  { offsets, counts, isBig }: Blocks,
): Tag[] {
  const { width, height, bands = 1, bits = 8, sampleFormat = 1, tile, photometric, extraSamples } = image;
  const each = (value: number) => Array.from({ length: bands }, () => value);
  const long = isBig ? 16 : 4;
  const tags: Tag[] = [
    { id: 254, type: 4, values: [image.subfileType ?? 0] },
    { id: 256, type: 4, values: [width] },
    { id: 257, type: 4, values: [height] },
    { id: 258, type: 3, values: each(bits) },
    { id: 259, type: 3, values: [compressionOf(image)] },
    { id: 262, type: 3, values: [photometric ?? (bands >= 3 ? 2 : 1)] },
    { id: 277, type: 3, values: [bands] },
    { id: 317, type: 3, values: [image.predictor ?? 1] },
    { id: 339, type: 3, values: each(sampleFormat) },
  ];
  if (tile === undefined) {
    tags.push({ id: 273, type: long, values: offsets }, { id: 278, type: 3, values: [16] });
    tags.push({ id: 279, type: long, values: counts });
  } else {
    tags.push({ id: 322, type: 3, values: [tile] }, { id: 323, type: 3, values: [tile] });
    tags.push({ id: 324, type: long, values: offsets }, { id: 325, type: long, values: counts });
  }
  for (const [id, values] of Object.entries(image.more ?? {})) tags.push({ id: Number(id), type: 3, values });
  if (extraSamples) tags.push({ id: 338, type: 3, values: extraSamples });
  if (main) tags.push(...geoTags(main));
  return tags.toSorted((a, b) => a.id - b.id);
}

function compressionOf({ packed, isDeflated, isZstd }: WrittenImage): number {
  if (packed) return packed.compression;
  return isDeflated === true ? 8 : isZstd === true ? 50_000 : 1;
}

function geoTags(written: WrittenTiff): Tag[] {
  const { keys, keyDoubles, keyTexts, scale, tie, transformation, noData, metadata } = written;
  const text = (id: number, value: string): Tag => ({ id, type: 2, values: Buffer.from(`${value}\0`) });
  return [
    ...(keys ? [{ id: 34_735, type: 3, values: [1, 1, 0, keys.length, ...keys.flat()] } as const] : []),
    ...(keyDoubles ? [{ id: 34_736, type: 12, values: keyDoubles } as const] : []),
    ...(keyTexts === undefined ? [] : [text(34_737, keyTexts)]),
    ...(scale ? [{ id: 33_550, type: 12, values: [...scale, 0] } as const] : []),
    ...(tie ? [{ id: 33_922, type: 12, values: tie } as const] : []),
    ...(transformation ? [{ id: 34_264, type: 12, values: transformation } as const] : []),
    ...(metadata === undefined ? [] : [text(42_112, metadata)]),
    ...(noData === undefined ? [] : [text(42_113, noData)]),
  ];
}

function writeDirectory(
  tags: readonly Tag[],
  { at, isLast, isBig, isLittle }: Layout & { at: number; isLast: boolean },
): Buffer {
  const [countBytes, entryBytes, longBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const entries = Buffer.alloc(countBytes + tags.length * entryBytes + longBytes);
  const view = new DataView(entries.buffer, entries.byteOffset, entries.length);
  const setLong = (place: number, value: number) =>
    isBig ? view.setBigUint64(place, BigInt(value), isLittle) : view.setUint32(place, value, isLittle);
  if (isBig) view.setBigUint64(0, BigInt(tags.length), isLittle);
  else view.setUint16(0, tags.length, isLittle);
  const behind: Buffer[] = [];
  let end = at + entries.length;
  for (const [i, tag] of tags.entries()) {
    const place = countBytes + i * entryBytes;
    const values = encode(tag, isLittle);
    view.setUint16(place, tag.id, isLittle);
    view.setUint16(place + 2, tag.type, isLittle);
    setLong(place + 4, values.length / sizes[tag.type]);
    if (values.length <= longBytes) values.copy(entries, place + 4 + longBytes);
    else {
      setLong(place + 4 + longBytes, end);
      behind.push(values);
      end += values.length;
    }
  }
  setLong(entries.length - longBytes, isLast ? 0 : end);
  return Buffer.concat([entries, ...behind]);
}

function encode({ type, values }: Tag, isLittle: boolean): Buffer {
  if (Buffer.isBuffer(values)) return values;
  const buffer = Buffer.alloc(values.length * sizes[type]);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  for (const [i, value] of values.entries()) {
    if (type === 3) view.setUint16(i * 2, value, isLittle);
    else if (type === 4) view.setUint32(i * 4, value, isLittle);
    else if (type === 16) view.setBigUint64(i * 8, BigInt(value), isLittle);
    else view.setFloat64(i * 8, value, isLittle);
  }
  return buffer;
}

/** Keys of a code: model 1 is projected, 2 geographic. */
export function keysOf(code: number, model: 1 | 2 = 1): NonNullable<WrittenTiff['keys']> {
  return [
    [1024, 0, 1, model],
    [1025, 0, 1, 1],
    [model === 1 ? 3072 : 2048, 0, 1, code],
  ];
}

/** Counts the bytes that are read. */
export function countedBytes(content: Uint8Array): Bytes & { readonly bytesRead: () => number } {
  let read = 0;
  return {
    size: content.length,
    bytesRead: () => read,
    async read(offset, length) {
      const chunk = content.subarray(offset, offset + length);
      read += chunk.length;
      return chunk;
    },
  };
}
