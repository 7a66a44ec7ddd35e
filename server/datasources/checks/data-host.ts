import type { InternalSource } from '@platen/contract/datasources';
import type { Context } from '../../base/context.ts';
import { usableKey } from '../../files/objects/key.ts';
import { findFilesAfter, findObject, type ObjectFile } from '../../files/objects/store.ts';
import { archiveKind, pathOf } from '../address.ts';
import { fileHost, type FileHost } from '../parsing/file-host.ts';
import { storedBytes } from '../parsing/stored-bytes.ts';
import type { SourceFiles } from '../source-files.ts';
import { someFiles, type DataHost, type DataInput, type HostFile } from './data.ts';

/** The input of a check, and the host that gives it the bytes of this data only. */
export function dataHost(
  { db, store }: Context,
  place: SourceFiles,
  source: InternalSource,
): { data: DataInput; host: DataHost } {
  const { bucketId, file, servedFolder } = place;
  const hosts: FileHost[] = [];
  const open = (object: ObjectFile): HostFile => {
    const number = hosts.push(fileHost(storedBytes(store, object))) - 1;
    return { number, path: object.key, size: object.size };
  };
  const suffix = pathOf(source);
  const data = {
    kind: file && archiveKind(file.key),
    file: file && open(file),
    named: suffix === undefined || suffix.includes('{') ? '' : suffix,
  };
  const host: DataHost = {
    read: (number, offset, length) => hosts[number]!.read(offset, length),
    async find(path) {
      const key = usableKey(`${servedFolder ?? ''}${path}`);
      const found =
        key === undefined || servedFolder === null ? undefined : await findObject(db, bucketId, key);
      return found && open(found);
    },
    async some() {
      if (servedFolder === null) return [];
      const files = await findFilesAfter(db, bucketId, { prefix: servedFolder, after: '', limit: someFiles });
      return files.map(({ key }) => key.slice(servedFolder.length));
    },
  };
  return { data, host };
}
