import type { DataBucket } from '@platen/contract/buckets';
import type { ListedObject } from '@platen/contract/object-info';
import { shallowRef } from 'vue';

/** The dialogs over the file list. */
export type FileDialog =
  | { readonly kind: 'move' | 'copy'; readonly objects: readonly ListedObject[] }
  | { readonly kind: 'revisions' | 'uses'; readonly object: ListedObject }
  | { readonly kind: 'folder' | 'url' }
  | { readonly kind: 'bucket'; readonly bucket: DataBucket | undefined }
  | { readonly kind: 'bucketUses'; readonly bucket: DataBucket };

export const fileDialog = shallowRef<FileDialog>();
