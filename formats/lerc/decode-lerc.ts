// oxlint-disable-next-line typescript/triple-slash-reference -- whoever imports this gets the types, too
/// <reference path="./lerc-package.d.ts" />
import lerc from 'lerc';
import { BytesError } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';

/** The size that a blob must have. */
export interface LercShape {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Values of a pixel that stand beside each other. */
  readonly bands: number;
}

export interface LercPixels {
  /** Values of a pixel: those of the shape, or one less where the mask stands for the last, which is alpha. */
  readonly bands: number;
  /** The values of a pixel stand beside each other; numbers in the range of the blob's type. */
  readonly values: ArrayLike<number>;
  /** 0 where a pixel has no value. */
  readonly mask: Uint8Array | undefined;
}

/** Length of the smallest header, that of version 2.1. */
const headerBytes = 58;

/** Unpacks a blob of LERC2 (Esri's Limited Error Raster Compression). @throws BytesError */
export function decodeLerc(packed: Uint8Array, shape: LercShape): LercPixels {
  checkHeader(packed, shape);
  const { width, height, bands } = shape;
  try {
    const blob = new Uint8Array(packed).buffer;
    const { pixels, dimCount, mask } = lerc.decode(blob, { returnPixelInterleavedDims: true });
    const [values] = pixels;
    const isWhole = values?.length === width * height * dimCount;
    if (!isWhole || (dimCount !== bands && dimCount !== bands - 1)) throw new Error('Other bands.');
    return { bands: dimCount, values, mask: mask ?? undefined };
  } catch (error) {
    throw damaged(error);
  }
}

/** The decoder takes memory for the size that the header states. */
function checkHeader(packed: Uint8Array, { width, height }: LercShape): void {
  if (packed.length < headerBytes || Buffer.from(packed.subarray(0, 6)).toString('latin1') !== 'Lerc2 ')
    throw damaged();
  const view = viewOf(packed);
  const version = view.getInt32(6, true);
  // behind a checksum from version 3 on
  const at = version >= 3 ? 14 : 10;
  if (version > 5 || view.getInt32(at, true) !== height || view.getInt32(at + 4, true) !== width)
    throw damaged();
  const dimensions = version >= 4 ? view.getInt32(at + 8, true) : 1;
  if (!(dimensions >= 1 && dimensions <= maxDimensions)) throw damaged();
}

const maxDimensions = 10_000;

function damaged(cause?: unknown): BytesError {
  return new BytesError('one of its tiles is damaged', { cause });
}
