import { usableKey } from '../../files/objects/key.ts';
import type { ServedFile } from './file-headers.ts';
import type { Library } from './library.ts';

/** The files of a datasource by their paths, wherever they lie. */
export interface Members {
  /** With `type` it is what that says, and gzip if its name ends with `.gz` and its content begins so. */
  find(path: string, type?: string): Promise<ServedFile | undefined>;
}

/** Of a folder in a bucket; its path ends with /. */
export function membersOfFolder(library: Library, bucketId: string, folder: string): Members {
  return {
    async find(path, type) {
      const key = usableKey(folder + path);
      const file = key === undefined ? undefined : await library.file(bucketId, key);
      if (!file || type === undefined || type === file.contentType) return file;
      return { ...file, contentType: type, packing: path.endsWith('.gz') ? 'gzip' : file.packing };
    },
  };
}

/** Of a zip file, 3TZ or SLPK. */
export function membersOfZip(library: Library, file: ServedFile): Members {
  return {
    async find(path, type) {
      const key = usableKey(path);
      return key === undefined ? undefined : library.archives.member(file, key, type);
    },
  };
}
