import type { Bytes } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import { damagedImage, type ImageHeader } from './header.ts';
import { jpegHeader } from './jpeg-header.ts';

const pngMagic = '\x89PNG\r\n\x1a\n';

/** @returns undefined if it is not a JPEG, PNG or WebP */
export async function readImageHeader(bytes: Bytes): Promise<ImageHeader | undefined> {
  const head = await bytes.read(0, 64);
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return jpegHeader(bytes);
  if (text.startsWith(pngMagic)) return pngHeader(bytes, head);
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return webpHeader(bytes, head);
  return undefined;
}

const cutOff = 'it is cut off';
const maxExifBytes = 1 << 20;
const maxChunks = 1000;

/** Bands by PNG's colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const pngBands: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

async function pngHeader(bytes: Bytes, head: Uint8Array): Promise<ImageHeader> {
  if (head.length < 33) return damagedImage('png', cutOff);
  const view = viewOf(head);
  const colourType = view.getUint8(25);
  let exif: Uint8Array | undefined;
  let hasTransparency = false;
  const read = async (at: number) => {
    const chunk = await bytes.read(at, 8);
    if (chunk.length < 8) return undefined;
    return { length: viewOf(chunk).getUint32(0), type: Buffer.from(chunk).toString('latin1', 4) };
  };
  for (let at = 33, i = 0; i < maxChunks; i++) {
    const chunk = await read(at);
    if (chunk === undefined || chunk.type === 'IDAT') break;
    if (chunk.type === 'tRNS') hasTransparency = true;
    if (chunk.type === 'eXIf' && chunk.length <= maxExifBytes) exif = await bytes.read(at + 8, chunk.length);
    at += chunk.length + 12;
  }
  const end = Buffer.from(await bytes.read(bytes.size - 12, 12)).toString('latin1', 4, 8);
  return {
    format: 'png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    bands: (pngBands[colourType] ?? 3) + (hasTransparency ? 1 : 0),
    bits: view.getUint8(24),
    hasAlpha: hasTransparency || colourType === 4 || colourType === 6,
    isInterlaced: view.getUint8(28) === 1,
    exif,
    fault: end === 'IEND' ? undefined : cutOff,
  };
}

async function webpHeader(bytes: Bytes, head: Uint8Array): Promise<ImageHeader> {
  if (head.length < 30) return damagedImage('webp', cutOff);
  const view = viewOf(head);
  const size = webpSize(view, Buffer.from(head).toString('latin1', 12, 16));
  if (size === undefined) return damagedImage('webp', 'its first chunk is damaged');
  return {
    format: 'webp',
    ...size,
    bands: size.hasAlpha ? 4 : 3,
    bits: 8,
    isInterlaced: false,
    exif: await webpExif(bytes),
    fault: view.getUint32(4, true) + 8 > bytes.size ? cutOff : undefined,
  };
}

/** RFC 9649: VP8X has it plainly; lossless in 14 bits each; lossy in the header of its key frame. */
function webpSize(
  view: DataView,
  chunk: string,
): Pick<ImageHeader, 'width' | 'height' | 'hasAlpha'> | undefined {
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (chunk === 'VP8X')
    return { width: three(24) + 1, height: three(27) + 1, hasAlpha: (view.getUint8(20) & 16) !== 0 };
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true);
    return {
      width: (bits & 0x3fff) + 1,
      height: ((bits >> 14) & 0x3fff) + 1,
      hasAlpha: ((bits >> 28) & 1) === 1,
    };
  }
  if (chunk !== 'VP8 ') return undefined;
  return {
    width: view.getUint16(26, true) & 0x3fff,
    height: view.getUint16(28, true) & 0x3fff,
    hasAlpha: false,
  };
}

async function webpExif(bytes: Bytes): Promise<Uint8Array | undefined> {
  for (let at = 12, i = 0; i < maxChunks; i++) {
    const chunk = await bytes.read(at, 8);
    if (chunk.length < 8) return undefined;
    const length = viewOf(chunk).getUint32(4, true);
    if (Buffer.from(chunk).toString('latin1', 0, 4) === 'EXIF' && length <= maxExifBytes) {
      const exif = await bytes.read(at + 8, length);
      // some writers put JPEG's beginning before it
      return Buffer.from(exif).toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif;
    }
    at += 8 + length + (length & 1);
  }
  return undefined;
}
