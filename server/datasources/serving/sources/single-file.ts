import type { ServedDatasource } from '../access.ts';
import type { Reply } from '../reply.ts';
import { baseName, type DataRequest, type FileRequest, type Source } from './source.ts';

interface FileContent {
  /** Serves the content of the file, such as the tiles of an archive. */
  readonly content: Source<FileRequest>;
  /** The content answers at the address of the datasource itself, where otherwise the file is served. */
  readonly isRoot?: boolean;
}

/**
 * A single file, served under its name and at the address of the datasource. Its thumbnail is next to it under its whole
 * name, so that no other file of the bucket becomes readable.
 */
export function singleFile({ content, isRoot = false }: Partial<FileContent> = {}): Source {
  return {
    async find(request: DataRequest): Promise<Reply | undefined> {
      const { cache, datasource, path } = request;
      const { bucketId, bucketKey } = datasource;
      const file = await cache.file(bucketId!, bucketKey!);
      if (!file) return undefined;
      if ((path === '' && !isRoot) || isNameOf(datasource, path.normalize('NFC')))
        return { kind: 'file', file };
      if (path === 'thumbnail.png') {
        const thumbnail = await cache.file(bucketId!, `${bucketKey!}.thumbnail.png`);
        if (thumbnail) return { kind: 'file', file: thumbnail };
      }
      return content?.find({ ...request, file });
    },
  };
}

/** Former names count as well: addresses with them are in use. */
function isNameOf({ bucketKey, formerNames }: ServedDatasource, name: string): boolean {
  return name === baseName(bucketKey!) || formerNames.includes(name);
}
