import { usableKey } from '../../../files/objects/key.ts';
import type { ServedFile } from '../file-headers.ts';
import type { Reply } from '../reply.ts';
import type { ServingCache } from '../serving-cache.ts';
import { baseName, type DataRequest, type FileRequest, type Source } from './source.ts';
import { findStyleReply } from './style.ts';
import { isTileAddress } from './tile-address.ts';
import { tilesAt } from './tile-json.ts';

/** The files of a datasource by their paths, in a folder or in an archive. */
export interface Members {
  /** Finds a file. `type` replaces its media type; then a name that ends with `.gz` means gzipped content. */
  find(path: string, type?: string): Promise<ServedFile | undefined>;
}

export interface MembersRequest extends DataRequest {
  readonly members: Members;
}

/** A folder of a bucket, served by what `source` makes of its files. */
export function inFolder(source: Source<MembersRequest>): Source {
  return {
    find(request: DataRequest) {
      const { bucketId, servedFolder } = request.datasource;
      return source.find({ ...request, members: membersOfFolder(request.cache, bucketId!, servedFolder!) });
    },
  };
}

/** A zip file, 3TZ or SLPK, served by what `source` makes of its members. */
export function inZip(source: Source<MembersRequest>): Source<FileRequest> {
  return {
    find(request: FileRequest) {
      return source.find({ ...request, members: membersOfZip(request.cache, request.file) });
    },
  };
}

/** Files by their paths; for vector tiles also the style and, if the folder has no such file, the TileJSON. */
export const memberFiles: Source<MembersRequest> = {
  async find(request): Promise<Reply | undefined> {
    const { cache, datasource, path, base, members } = request;
    const { type, formerNames, bucketKey } = datasource;
    const file =
      (await members.find(path)) ??
      (formerNames.includes(path) ? await members.find(baseName(bucketKey!)) : undefined);
    if (file) return { kind: 'file', file };
    if (type !== 'vectortiles') return undefined;
    if (isTileAddress(path)) return { kind: 'noTile', mayAppear: true };
    if (path === 'style.json') return findStyleReply(request);
    if (path !== 'tiles.json') return undefined;
    const metadata = await members.find('metadata.json');
    const tileJson = metadata && (await cache.document(metadata, 'folderMetadata'));
    return tileJson && { kind: 'document', bytes: tilesAt(base(), 'pbf', tileJson) };
  },
};

function membersOfFolder(cache: ServingCache, bucketId: string, folder: string): Members {
  return {
    async find(path, type) {
      const key = usableKey(folder + path);
      const file = key === undefined ? undefined : await cache.file(bucketId, key);
      if (!file || type === undefined || type === file.contentType) return file;
      return { ...file, contentType: type, packing: path.endsWith('.gz') ? 'gzip' : file.packing };
    },
  };
}

function membersOfZip(cache: ServingCache, file: ServedFile): Members {
  return {
    async find(path, type) {
      const key = usableKey(path);
      return key === undefined ? undefined : cache.archives.member(file, key, type);
    },
  };
}
