import type { Bytes } from '@platen/formats/bytes/bytes';
import type { Subject } from '../inspector.ts';

/** Returns a subfolder as a subject of its own. @param prefix ends with / */
export function folderWithin(folder: Subject, prefix: string): Subject {
  if (prefix === '') return folder;
  return {
    ...folder,
    find: (path) => folder.find(prefix + path),
    async list(limit) {
      const all = await folder.list(limit);
      return all
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ name, size }) => ({ name: name.slice(prefix.length), size }));
    },
    localFile: async (path) => (path === undefined ? undefined : folder.localFile(prefix + path)),
  };
}

/** Returns one file of the folder as a subject, with the files next to it. */
export function fileWithin(folder: Subject, name: string, bytes: Bytes): Subject {
  const folderPath = name.slice(0, name.lastIndexOf('/') + 1);
  return {
    name: name.slice(folderPath.length),
    size: bytes.size,
    bytes,
    path: undefined,
    find: (path) => folder.find(folderPath + path),
    list: async () => [],
    localFile: async (path) => folder.localFile(path === undefined ? name : folderPath + path),
  };
}
