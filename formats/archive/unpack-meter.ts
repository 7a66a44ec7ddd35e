import { SourceError } from '../source/source.ts';

export interface UnpackOptions {
  readonly signal: AbortSignal;
  /** More must not come out of the archive, all of it together; maxUnpackedBytes by default. */
  readonly maxBytes?: number;
}

export interface UnpackedFile {
  /** Path in the archive, with / between folders. */
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export const maxUnpackedBytes = 64 * 2 ** 30;

/** A ratio to the packed size that no honest file exceeds once more than `aboveBytes` have been unpacked. */
export interface RatioLimit {
  readonly times: number;
  readonly aboveBytes: number;
}

export interface UnpackMeter {
  /** @throws SourceError refusedZip */
  count(bytes: number): void;
}

/** Counts the bytes that are actually unpacked, because the sizes in headers cannot be trusted. */
export function createUnpackMeter(
  packedBytes: number,
  maxRatio: RatioLimit,
  maxBytes = maxUnpackedBytes,
): UnpackMeter {
  let unpacked = 0;
  return {
    count(bytes) {
      unpacked += bytes;
      if (unpacked > maxBytes) {
        throw new SourceError(
          'refusedZip',
          `its content is larger than the permitted ${megabytes(maxBytes)} MB`,
        );
      }
      if (unpacked > maxRatio.aboveBytes && unpacked > packedBytes * maxRatio.times) {
        throw new SourceError(
          'refusedZip',
          `it grows to more than ${maxRatio.times} times its size when unpacked, like a zip bomb: upload the content itself`,
        );
      }
    },
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
