import { BytesError } from '../bytes/bytes.ts';
import { readExactly } from '../bytes/read-exactly.ts';
import { decodeLerc } from '../lerc/decode-lerc.ts';
import { sampleArrayOf, sampleArrays, sampleReaderOf, type Samples } from './block-samples.ts';
import { openBlockPlaces, type BlockPlace } from './block-places.ts';
import { numbersOf, rawOf, type Tiff } from './read-tiff.ts';
import { isPictureImage, isYCbCrImage, type TiffImage } from './read-image.ts';
import { compression, photometric, tag } from './tags.ts';
import { reverseBits, unpackAroundLerc, unpackerOf } from './unpack-block.ts';
import { readYCbCrForm, yCbCrBytes, yCbCrToRgb } from './ycbcr.ts';

export type { Samples } from './block-samples.ts';

/** Samples of 8 bits from a JPEG or WebP file. */
export type DecodePicture = (picture: Uint8Array, bands: number) => Promise<Uint8Array>;

export interface BlockReader {
  /** Number of block columns; for a planar image those of one band. */
  readonly columns: number;
  readonly rows: number;
  /** @returns undefined where the file leaves it out. @throws BytesError where it is damaged */
  read(column: number, row: number, plane?: number): Promise<Samples | undefined>;
  /**
   * Reads samples of a block from the file into where they are wanted, where bytes are stored as they are: at once if
   * the place of the block is known, as rows are read in less time than is waited for a promise.
   * @param first sample of the block
   * @returns false where the file leaves the block out. @throws BytesError where it is damaged
   */
  readonly readInto:
    | ((place: BlockNumbers, first: number, target: Uint8Array) => boolean | Promise<boolean>)
    | undefined;
  /** Size of a block in the file, in bytes. */
  packedBytes(column: number, row: number, plane?: number): Promise<number>;
}

/** The place of a block in its image. */
export interface BlockNumbers {
  readonly column: number;
  readonly row: number;
  readonly plane: number;
}

export interface BlockOptions {
  readonly decodePicture?: DecodePicture | undefined;
  /** Limit for a block, packed and unpacked; 64 MiB by default. */
  readonly maxBlockBytes?: number;
}

const defaultMaxBlockBytes = 64 << 20;

/** A block without its place: pixels, and bands that stand beside each other. */
interface BlockSize {
  readonly width: number;
  readonly rows: number;
  readonly bands: number;
}

/** @throws BytesError */
type Decode = (packed: Uint8Array, size: BlockSize) => Promise<Samples>;

/** @returns undefined where its pixels are stored in a way that is not read here */
export function openBlocks(
  tiff: Tiff,
  image: TiffImage,
  { decodePicture, maxBlockBytes = defaultMaxBlockBytes }: BlockOptions = {},
): BlockReader | undefined {
  const decode = decoderOf(tiff, image, { decodePicture, maxBlockBytes });
  if (!decode) return undefined;
  const { width, height, blockWidth, blockHeight, isPlanar, isTiled } = image;
  const [columns, rows] = [Math.ceil(width / blockWidth), Math.ceil(height / blockHeight)];
  const bands = isPlanar ? 1 : image.bands;
  const places = openBlockPlaces(tiff, image);
  const placeOf = ({ column, row, plane }: BlockNumbers): BlockPlace | Promise<BlockPlace> => {
    const number = (plane * rows + row) * columns + column;
    return places.known(number) ?? places.load(number);
  };
  return {
    columns,
    rows,
    readInto: readerOfBytes(tiff, image, placeOf),
    packedBytes: async (column, row, plane = 0) => (await placeOf({ column, row, plane })).length,
    async read(column, row, plane = 0) {
      const { offset, length } = await placeOf({ column, row, plane });
      if (length === 0 || offset === 0) return undefined;
      const blockRows = isTiled ? blockHeight : Math.min(blockHeight, height - row * blockHeight);
      const size = Math.ceil((blockWidth * bands * image.bits) / 8) * blockRows;
      if (size > maxBlockBytes || length > maxBlockBytes) throw new BytesError('its tiles are too large');
      const packed = await readExactly(tiff.bytes, offset, length);
      return decode(packed, { width: blockWidth, rows: blockRows, bands });
    },
  };
}

function readerOfBytes(
  { bytes }: Tiff,
  image: TiffImage,
  placeOf: (numbers: BlockNumbers) => BlockPlace | Promise<BlockPlace>,
): BlockReader['readInto'] {
  const { bits, predictor, hasReversedBits } = image;
  const areStored = image.compression === compression.none && bits === 8 && predictor === 1;
  const isKnown = areStored && !hasReversedBits && !isYCbCrImage(image) && sampleArrayOf(image) === 'uint8';
  if (!isKnown || !bytes.readInto) return undefined;
  const readAt = ({ offset, length }: BlockPlace, first: number, target: Uint8Array): boolean => {
    if (length === 0 || offset === 0) return false;
    const isWhole =
      first + target.length <= length && bytes.readInto!(offset + first, target) === target.length;
    if (!isWhole) throw new BytesError('it is cut off');
    return true;
  };
  return (numbers, first, target) => {
    const place = placeOf(numbers);
    return 'offset' in place
      ? readAt(place, first, target)
      : place.then((loaded) => readAt(loaded, first, target));
  };
}

function decoderOf(tiff: Tiff, image: TiffImage, options: Required<BlockOptions>): Decode | undefined {
  if (isPictureImage(image)) return pictureDecoder(tiff, image, options.decodePicture);
  if (image.compression === compression.lerc) return lercDecoder(tiff, image, options.maxBlockBytes);
  return isYCbCrImage(image) ? yCbCrDecoder(tiff, image) : plainDecoder(tiff, image);
}

function plainDecoder(tiff: Tiff, image: TiffImage): Decode | undefined {
  const unpack = unpackerOf(image.compression);
  const toSamples = sampleReaderOf(image);
  if (!unpack || !toSamples) return undefined;
  const { bits, predictor } = image;
  return async (packed, { width, rows, bands }) => {
    const size = Math.ceil((width * bands * bits) / 8) * rows;
    const raw = unpack(inFillOrder(image, packed), size);
    return toSamples(raw, { rows, width, bands, bits, predictor, isLittle: tiff.isLittle });
  };
}

function inFillOrder({ hasReversedBits }: TiffImage, packed: Uint8Array): Uint8Array {
  return hasReversedBits ? reverseBits(packed) : packed;
}

function yCbCrDecoder(tiff: Tiff, image: TiffImage): Decode | undefined {
  const unpack = unpackerOf(image.compression);
  const isKnown = image.bits === 8 && image.bands === 3 && !image.isPlanar && image.predictor === 1;
  if (!unpack || !isKnown) return undefined;
  return async (packed, size) => {
    const form = await readYCbCrForm(tiff, image);
    const raw = unpack(inFillOrder(image, packed), yCbCrBytes(size, form));
    return yCbCrToRgb(raw, size, form);
  };
}

function lercDecoder(tiff: Tiff, image: TiffImage, maxBytes: number): Decode | undefined {
  const name = sampleArrayOf(image);
  if (name === undefined || image.bits % 8 !== 0) return undefined;
  return async (packed, { width, rows, bands }) => {
    const [, around = 0] = await numbersOf(tiff, image.directory, tag.lercParameters, { count: 2 });
    const blob = unpackAroundLerc(around, packed, maxBytes);
    const { values, mask, bands: stored } = decodeLerc(blob, { width, height: rows, bands });
    const samples = new sampleArrays[name](width * rows * bands);
    const isFloat = image.sampleFormat === 'float';
    for (let pixel = 0; pixel < width * rows; pixel++) {
      const isHidden = mask?.[pixel] === 0;
      for (let band = 0; band < stored; band++)
        samples[pixel * bands + band] = isHidden && isFloat ? NaN : values[pixel * stored + band]!;
      // the mask stands for an alpha band that has only none and all
      if (stored < bands) samples[pixel * bands + stored] = isHidden ? 0 : 255;
    }
    return samples;
  };
}

function pictureDecoder(
  tiff: Tiff,
  image: TiffImage,
  decodePicture: DecodePicture | undefined,
): Decode | undefined {
  const parts = image.isPlanar ? 1 : image.bands;
  if (!decodePicture || image.bits !== 8 || ![1, 3, 4].includes(parts)) return undefined;
  return async (packed, { width, rows, bands }) => {
    const samples = await decodePicture(await wholeJpeg(tiff, image, packed), bands);
    if (samples.length < width * rows * bands) throw new BytesError('one of its tiles is too small');
    return samples;
  };
}

const startOfImage = [0xff, 0xd8];
/** Adobe's marker with transform 0: three bands are not YCbCr. */
const plainColours = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0];

/**
 * A JPEG tile completed with the tables of its directory, without which it cannot be decoded (TIFF technical note 2).
 */
async function wholeJpeg(tiff: Tiff, image: TiffImage, packed: Uint8Array): Promise<Uint8Array> {
  if (image.compression !== compression.jpeg) return packed;
  const tables = await rawOf(tiff, image.directory, tag.jpegTables);
  const colours = image.photometric === photometric.rgb ? plainColours : [];
  return Buffer.concat([
    Uint8Array.from([...startOfImage, ...colours]),
    tables.length > 4 ? tables.subarray(2, -2) : new Uint8Array(0),
    packed.subarray(2),
  ]);
}
