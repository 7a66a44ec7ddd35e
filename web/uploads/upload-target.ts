import { shallowRef } from 'vue';
import type { UploadTarget } from './upload-item.ts';

/** Where dropped files go: into the folder that is shown; undefined where none is, then into the default data bucket. */
export const shownFolder = shallowRef<UploadTarget>();

/** Has somebody choose files, or a folder; resolves with nothing when they rather do not. */
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
