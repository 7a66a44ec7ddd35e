import { SourceError } from '../source/source.ts';

export interface UnpackOptions {
  readonly signal: AbortSignal;
  /** More must not come out of the archive, all of it together; mostUnpackedBytes by default. */
  readonly maxBytes?: number;
}

export interface UnpackedFile {
  /** In the archive, with / between folders. */
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export const maxUnpackedBytes = 64 * 2 ** 30;

/** What no honest file reaches: so many times its packed size, once more than `aboveBytes` have come out. */
export interface RatioLimit {
  readonly times: number;
  readonly aboveBytes: number;
}

export interface UnpackMeter {
  /** @throws SourceError refusedZip */
  count(bytes: number): void;
}

/** Counts what really comes out of an archive: what its headers claim of that is not to be trusted. */
export function createUnpackMeter(
  packedBytes: number,
  most: RatioLimit,
  longestBytes = maxUnpackedBytes,
): UnpackMeter {
  let unpacked = 0;
  return {
    count(bytes) {
      unpacked += bytes;
      if (unpacked > longestBytes) {
        throw new SourceError(
          'refusedZip',
          `more than the permitted ${megabytes(longestBytes)} MB come out of it`,
        );
      }
      if (unpacked > most.aboveBytes && unpacked > packedBytes * most.times) {
        throw new SourceError(
          'refusedZip',
          `more than ${most.times} times its size comes out of it, as of a zip bomb: upload the content itself`,
        );
      }
    },
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
