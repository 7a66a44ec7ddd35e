import type { ServedDatasource } from '../access.ts';
import type { ServedFile } from '../file-headers.ts';
import type { Reply } from '../reply.ts';
import type { ServingCache } from '../serving-cache.ts';

/** A request for a path below the address of an internal datasource. */
export interface DataRequest {
  readonly cache: ServingCache;
  readonly datasource: ServedDatasource;
  /** The path behind the address of the datasource, without a leading or trailing slash. */
  readonly path: string;
  /** The query string, without its question mark. */
  readonly query: () => string;
  /** Returns the absolute address of the datasource. */
  readonly base: () => string;
}

/** One way to store the data of a datasource: a folder, a PMTiles archive, a scene layer package … */
export interface Source<Request extends DataRequest = DataRequest> {
  /** Finds the reply to a request; undefined if the source has nothing under that path. @throws Failure, ArchiveError, BytesError */
  find(request: Request): Promise<Reply | undefined>;
}

/** A request for the content of a single file. */
export interface FileRequest extends DataRequest {
  readonly file: ServedFile;
}

/** The last part of a key in a bucket. */
export const baseName = (key: string) => key.slice(key.lastIndexOf('/') + 1);
