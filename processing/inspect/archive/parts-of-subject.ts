import type { Bytes } from '@platen/formats/bytes/bytes';
import type { Subject } from '../inspector.ts';

/** A folder within a folder. @param prefix ends with / */
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
    onDisk: async (path) => (path === undefined ? undefined : folder.onDisk(prefix + path)),
  };
}

/** One of its files, with what lies beside it. */
export function fileWithin(folder: Subject, name: string, bytes: Bytes): Subject {
  const beside = name.slice(0, name.lastIndexOf('/') + 1);
  return {
    name: name.slice(beside.length),
    size: bytes.size,
    bytes,
    path: undefined,
    find: (path) => folder.find(beside + path),
    list: async () => [],
    onDisk: async (path) => folder.onDisk(path === undefined ? name : beside + path),
  };
}
