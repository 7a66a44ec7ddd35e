import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ObjectStore } from '@platen/storage/object-store';
import { Failure } from '../../base/failure.ts';
import type { ServedFile } from '../../datasources/serving/file-headers.ts';
import {
  maxUnpackedBytes,
  maxUnpackingMs,
  requireModestSize,
  unpackersOf,
} from '../../datasources/serving/send-packed.ts';
import { maxTileBytes } from '../../datasources/parsing/unpack-tile.ts';

/**
 * A file as it is when nothing is packed: static servers do not say what they send packed.
 * @throws Failure `unprocessable` if it would unpack to far too much
 */
export async function openPlain(store: ObjectStore, file: ServedFile): Promise<Readable> {
  const { blobId, offset, size: length, packing } = file;
  requireModestSize(file);
  const stored = await store.stream(blobId, { offset, length });
  if (!stored) throw gone();
  if (packing === 'none') return stored;
  const limit = plainSizeOf(file) ?? maxUnpackedBytes(file);
  const timeout = AbortSignal.timeout(maxUnpackingMs);
  const whole = pipeline([stored, ...unpackersOf(packing, limit)], () => {}) as unknown as Readable;
  return addAbortSignal(timeout, whole); // the last stream reports errors to its reader
}

/** The unpacked size; undefined if it is only known after unpacking. */
export function plainSizeOf({ packing, size, unpackedSize }: ServedFile): number | undefined {
  if (packing === 'none') return size;
  return packing === 'deflate' || packing === 'zstd' ? unpackedSize : undefined;
}

const gunzipAll = promisify(gunzip);

/** @throws Failure `unprocessable` */
export async function plainTile(bytes: Uint8Array, isPacked: boolean): Promise<Uint8Array> {
  if (!isPacked) return bytes;
  try {
    return await gunzipAll(bytes, { maxOutputLength: maxTileBytes });
  } catch (error) {
    throw new Failure('unprocessable', 'A tile in the archive is damaged.', { cause: error });
  }
}

export function gone(): Failure {
  return new Failure('unusable_reference', 'The data was deleted in the meantime. Try again.');
}
