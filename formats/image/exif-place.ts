import { BytesError } from '../bytes/bytes.ts';
import { isTiff, numberOf, numbersOf, readDirectory, readTiff, textOf } from '../geotiff/read-tiff.ts';

/** The position of a photo from its GPS tags (EXIF 2.32). */
export interface PhotoPlace {
  readonly longitude: number;
  readonly latitude: number;
  /** In metres above sea level; negative below it. */
  readonly altitude: number | undefined;
  /** Viewing direction in degrees from north. */
  readonly direction: number | undefined;
}

const gpsDirectory = 34_853;
const gps = {
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
  altitudeRef: 5,
  altitude: 6,
  direction: 17,
};

/** @returns undefined where it says no place, or none on earth */
export async function readPhotoPlace(exif: Uint8Array): Promise<PhotoPlace | undefined> {
  if (!isTiff(exif)) return undefined;
  try {
    return await placeIn(exif);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    return undefined;
  }
}

async function placeIn(exif: Uint8Array): Promise<PhotoPlace | undefined> {
  const read = async (offset: number, length: number) => exif.subarray(offset, offset + length);
  const tiff = await readTiff({ size: exif.length, read });
  const at = await numberOf(tiff, tiff.directories[0]!, gpsDirectory);
  if (at === undefined) return undefined;
  const { directory } = await readDirectory(tiff, at);
  const numbers = (tag: number) => numbersOf(tiff, directory, tag, { count: 3 });
  const isAt = async (tag: number, letter: string) => (await textOf(tiff, directory, tag)) === letter;
  const latitude = signed(degreesOf(await numbers(gps.latitude)), await isAt(gps.latitudeRef, 'S'));
  const longitude = signed(degreesOf(await numbers(gps.longitude)), await isAt(gps.longitudeRef, 'W'));
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const [altitude] = await numbers(gps.altitude);
  const [isBelow] = await numbers(gps.altitudeRef);
  const [direction] = await numbers(gps.direction);
  return {
    longitude,
    latitude,
    altitude: Number.isFinite(altitude) ? signed(altitude!, isBelow === 1) : undefined,
    direction: Number.isFinite(direction) ? direction : undefined,
  };
}

function degreesOf([degrees = NaN, minutes = 0, seconds = 0]: Iterable<number>): number {
  return degrees + minutes / 60 + seconds / 3600;
}

function signed(value: number, isNegative: boolean): number {
  return isNegative ? -value : value;
}
