import type { AppPicture } from '@platen/contract/app-page';

export type PictureFormat = Pick<AppPicture, 'contentType' | 'width' | 'height'>;

/**
 * Detects the format from the content; undefined for other files and truncated images, which browsers would show only
 * in part.
 */
export function pictureFormat(bytes: Buffer): PictureFormat | undefined {
  return pngFormat(bytes) ?? jpegFormat(bytes) ?? webpFormat(bytes);
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG 3, 5: a signature, then chunks of which IHDR is the first and IEND the last. */
function pngFormat(bytes: Buffer): PictureFormat | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature)) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  let type = '';
  for (let at = 8; type !== 'IEND'; at += 12 + bytes.readUInt32BE(at)) {
    if (at + 12 > bytes.length || at + 12 + bytes.readUInt32BE(at) > bytes.length) return undefined;
    type = bytes.toString('latin1', at + 4, at + 8);
  }
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Markers of a frame header: SOF0 to SOF15, except DHT, JPG and DAC, whose codes are in the same range. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** ITU T.81, B.1.1: segments begin with a marker and their length, up to the scan. */
function jpegFormat(bytes: Buffer): PictureFormat | undefined {
  if (bytes.length < 4 || bytes.readUInt32BE(0) >>> 8 !== 0xffd8ff) return undefined;
  const end = bytes.lastIndexOf(Buffer.from([0xff, endOfImage]));
  let size: { width: number; height: number } | undefined;
  for (let at = 2; at + 4 <= end;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // padding
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > end) return undefined;
    if (isFrame(marker)) {
      if (length < 8) return undefined;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (marker === startOfScan) return size && { contentType: 'image/jpeg', ...size };
    at += 2 + length;
  }
  return undefined;
}

/** RFC 9649, 2: RIFF with a chunk that is lossy, lossless, or the head of more. */
function webpFormat(bytes: Buffer): PictureFormat | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP' || bytes.readUInt32LE(4) + 8 > bytes.length)
    return undefined;
  const size = webpSize(bytes, bytes.toString('latin1', 12, 16));
  return size && { contentType: 'image/webp', ...size };
}

function webpSize(bytes: Buffer, chunk: string): { width: number; height: number } | undefined {
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (chunk === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
}
