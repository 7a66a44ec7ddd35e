import { shallowRef } from 'vue';
import type { UploadTarget } from './upload-item.ts';

/** The visible folder, into which dropped files go; if undefined, they go to the default data bucket. */
export const visibleFolder = shallowRef<UploadTarget>();

/** Opens the browser's file or folder picker; resolves to undefined when it is cancelled. */
export function chooseFiles({ isFolder = false, isSingle = false } = {}): Promise<FileList | undefined> {
  const { promise, resolve } = Promise.withResolvers<FileList | undefined>();
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = !isSingle;
  input.webkitdirectory = isFolder;
  input.addEventListener('change', () => resolve(input.files ?? undefined));
  input.addEventListener('cancel', () => resolve(undefined));
  input.click();
  return promise;
}
