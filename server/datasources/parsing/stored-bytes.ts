import type { Bytes } from '@platen/formats/bytes/bytes';
import type { ObjectStore } from '@platen/storage/object-store';

/** The bytes of an object, read by ranges. */
export function storedBytes(
  store: ObjectStore,
  { blobId, size }: { readonly blobId: string; readonly size: number },
): Bytes {
  return {
    size,
    read: async (offset, length) => (await store.read(blobId, { offset, length })) ?? new Uint8Array(0),
  };
}
