import type { Bytes } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import { damagedImage, type ImageHeader } from './header.ts';

const maxSegments = 2000;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const exifSegment = 0xe1;
/** Frames whose coefficients come in several passes. */
const progressive = new Set([0xc2, 0xc6, 0xca, 0xce]);

/** Goes from segment to segment to the frame header (ITU-T T.81, annex B). */
export async function jpegHeader(bytes: Bytes): Promise<ImageHeader> {
  let exif: Uint8Array | undefined;
  for (let at = 2, i = 0; i < maxSegments; i++) {
    const head = await bytes.read(at, 12);
    if (head.length < 4) return { ...damagedImage('jpeg', 'it is cut off'), exif };
    const view = viewOf(head);
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff || marker === startOfScan || marker === endOfImage) break;
    // filled up, or without content
    if (marker === 0xff || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = view.getUint16(2);
    if (isFrame(marker) && head.length >= 10) {
      return {
        format: 'jpeg',
        width: view.getUint16(7),
        height: view.getUint16(5),
        bands: view.getUint8(9),
        bits: view.getUint8(4),
        hasAlpha: false,
        isInterlaced: progressive.has(marker),
        exif,
        fault: (await endsWell(bytes)) ? undefined : 'it is cut off',
      };
    }
    if (marker === exifSegment && exif === undefined) exif = await exifIn(bytes, at + 4, length - 2);
    at += 2 + Math.max(2, length);
  }
  return { ...damagedImage('jpeg', 'its frame header is missing'), exif };
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

async function exifIn(bytes: Bytes, at: number, length: number): Promise<Uint8Array | undefined> {
  const segment = await bytes.read(at, Math.max(0, length));
  return Buffer.from(segment).toString('latin1', 0, 6) === 'Exif\0\0' ? segment.subarray(6) : undefined;
}

const tailBytes = 4096;

/** The end marker, behind which cameras and tools like to put things of their own. */
async function endsWell(bytes: Bytes): Promise<boolean> {
  const tail = await bytes.read(Math.max(0, bytes.size - tailBytes), tailBytes);
  return Buffer.from(tail).includes(Buffer.from([0xff, endOfImage]));
}
