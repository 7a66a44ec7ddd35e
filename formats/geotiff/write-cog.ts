import { compression, photometric, tag } from './tags.ts';
import { tagType, writeDirectories, type WrittenTag } from './write-directory.ts';

/** Packed blocks of an image, row by row. */
export interface CogBlocks {
  readonly count: number;
  /** 0: the block is left out, all of it is no data. */
  lengthOf(number: number): number;
  /** Valid until the next is read. */
  read(number: number): Uint8Array;
}

/** An image or an overview. */
export interface CogImage {
  readonly width: number;
  readonly height: number;
  /** All but the sizes and the blocks. */
  readonly tags: readonly WrittenTag[];
  readonly blocks: CogBlocks;
  /** Blocks of one bit a pixel, deflated: 1 is shown. The image leaves out none, then. */
  readonly mask?: CogBlocks;
}

export interface Cog {
  /** Pixels on each side of a block, a multiple of 16. */
  readonly blockSide: number;
  /** The image, then its overviews, each smaller than the one before. */
  readonly images: readonly CogImage[];
  /** A larger file is BigTIFF; what 32 bits can say by default. */
  readonly maxClassicBytes?: number;
}

export interface WrittenCog {
  readonly size: number;
  readonly isBig: boolean;
  /** All bytes of the file in order. A chunk is valid until the next. */
  readonly chunks: Iterable<Uint8Array>;
}

const mostClassicBytes = 2 ** 32 - 1;
/** Before a block its length, and behind it its last bytes once more. */
const leaderBytes = 4;
const trailerBytes = 4;
const overviewBit = 1;
const maskBit = 4;

/**
 * A cloud-optimized GeoTIFF (OGC 21-026) as GDAL writes it: what its structure is, all directories, and the blocks of
 * the smallest overview first, each with its mask.
 */
export function writeCog(cog: Cog): WrittenCog {
  const { maxClassicBytes = mostClassicBytes } = cog;
  const hasMask = cog.images.some(({ mask }) => mask !== undefined);
  let { data, bytes } = placeBlocks(cog, 0);
  const emptyHead = headOf(cog, data, { isBig: false, hasMask });
  const isBig = emptyHead.length + bytes > maxClassicBytes;
  const start = isBig ? headOf(cog, data, { isBig, hasMask }).length : emptyHead.length;
  ({ data, bytes } = placeBlocks(cog, start));
  const head = headOf(cog, data, { isBig, hasMask });
  return { size: head.length + bytes, isBig, chunks: chunksOf(cog, head) };
}

/** Where the blocks of an image are. */
interface BlockPlaces {
  readonly image: { readonly offsets: Float64Array; readonly lengths: Float64Array };
  readonly mask: { readonly offsets: Float64Array; readonly lengths: Float64Array } | undefined;
}

function placeBlocks({ images }: Cog, start: number): { data: BlockPlaces[]; bytes: number } {
  let at = start;
  const place = (blocks: CogBlocks, number: number, places: BlockPlaces['image']): void => {
    const length = blocks.lengthOf(number);
    if (length === 0) return;
    places.offsets[number] = at + leaderBytes;
    places.lengths[number] = length;
    at += leaderBytes + length + trailerBytes;
  };
  const empty = ({ count }: CogBlocks): BlockPlaces['image'] => ({
    offsets: new Float64Array(count),
    lengths: new Float64Array(count),
  });
  const data = images.map(({ blocks, mask }) => ({ image: empty(blocks), mask: mask && empty(mask) }));
  for (let level = images.length - 1; level >= 0; level--) {
    const { blocks, mask } = images[level]!;
    const places = data[level]!;
    for (let number = 0; number < blocks.count; number++) {
      place(blocks, number, places.image);
      if (mask) place(mask, number, places.mask!);
    }
  }
  return { data, bytes: at - start };
}

function* chunksOf({ images }: Cog, head: Uint8Array): Generator<Uint8Array, void> {
  yield head;
  for (const { blocks, mask } of images.toReversed()) {
    for (let number = 0; number < blocks.count; number++) {
      if (blocks.lengthOf(number) > 0) yield framed(blocks.read(number));
      if (mask && mask.lengthOf(number) > 0) yield framed(mask.read(number));
    }
  }
}

function framed(block: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(leaderBytes + block.length + trailerBytes);
  frame.writeUInt32LE(block.length, 0);
  frame.set(block, leaderBytes);
  frame.set(block.subarray(block.length - trailerBytes), leaderBytes + block.length);
  return frame;
}

interface Form {
  readonly isBig: boolean;
  readonly hasMask: boolean;
}

function headOf(cog: Cog, data: readonly BlockPlaces[], { isBig, hasMask }: Form): Uint8Array {
  const structure = Buffer.from(structureText(hasMask), 'latin1');
  const headerBytes = isBig ? 16 : 8;
  const start = Math.ceil((headerBytes + structure.length) / 2) * 2; // readers expect no larger gap
  const header = Buffer.alloc(start);
  header.write('II', 'latin1');
  header.writeUInt16LE(isBig ? 43 : 42, 2);
  if (isBig) {
    header.writeUInt16LE(8, 4);
    header.writeBigUInt64LE(BigInt(start), 8);
  } else header.writeUInt32LE(start, 4);
  header.set(structure, headerBytes);
  const directories = cog.images.flatMap((image, level) => {
    const { image: places, mask } = data[level]!;
    const common = { image, level, side: cog.blockSide, isBig };
    return [
      [...sizeTags({ ...common, places, isMask: false }), ...image.tags],
      ...(mask ? [[...sizeTags({ ...common, places: mask, isMask: true }), ...maskTags]] : []),
    ];
  });
  return Buffer.concat([header, writeDirectories(directories, { start, isBig })]);
}

/** What readers may rely on (https://gdal.org/drivers/raster/cog.html): the space is for a change of NO into YES. */
function structureText(hasMask: boolean): string {
  const lines = [
    'LAYOUT=IFDS_BEFORE_DATA\n',
    'BLOCK_ORDER=ROW_MAJOR\n',
    'BLOCK_LEADER=SIZE_AS_UINT4\n',
    'BLOCK_TRAILER=LAST_4_BYTES_REPEATED\n',
    'KNOWN_INCOMPATIBLE_EDITION=NO\n ',
    ...(hasMask ? ['MASK_INTERLEAVED_WITH_IMAGERY=YES\n'] : []),
  ].join('');
  return `GDAL_STRUCTURAL_METADATA_SIZE=${String(lines.length).padStart(6, '0')} bytes\n${lines}`;
}

interface SizedImage {
  readonly image: CogImage;
  /** 0: the image itself. */
  readonly level: number;
  readonly side: number;
  readonly places: BlockPlaces['image'];
  readonly isMask: boolean;
  readonly isBig: boolean;
}

function sizeTags({ image, level, side, places, isMask, isBig }: SizedImage): WrittenTag[] {
  const { short, long, long8 } = tagType;
  const kind = (level > 0 ? overviewBit : 0) | (isMask ? maskBit : 0);
  const one = (id: number, type: typeof short | typeof long, value: number) => ({
    id,
    type,
    values: [value],
  });
  return [
    ...(kind === 0 ? [] : [one(tag.subfileType, long, kind)]),
    one(tag.width, long, image.width),
    one(tag.height, long, image.height),
    one(tag.tileWidth, short, side),
    one(tag.tileHeight, short, side),
    { id: tag.tileOffsets, type: isBig ? long8 : long, values: places.offsets, isList: true },
    { id: tag.tileByteCounts, type: long, values: places.lengths, isList: true },
  ];
}

const maskTags: readonly WrittenTag[] = [
  { id: tag.bitsPerSample, type: tagType.short, values: [1] },
  { id: tag.compression, type: tagType.short, values: [compression.deflate] },
  { id: tag.photometric, type: tagType.short, values: [photometric.mask] },
  { id: tag.samplesPerPixel, type: tagType.short, values: [1] },
];
