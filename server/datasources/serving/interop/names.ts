import { archiveKind } from '../../address.ts';
import type { Reply } from '../reply.ts';
import type { DataRequest } from '../sources/source.ts';

const maxAttributeLength = 200;

interface Source {
  readonly type: string;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
}

/** Whether the names of features by an attribute are listed: those of vector tiles, which no page has all of. */
export const hasNames = ({ type, bucketKey, servedFolder }: Source, attribute: string): boolean =>
  attribute !== '' &&
  attribute.length <= maxAttributeLength &&
  type === 'vectortiles' &&
  servedFolder === null &&
  archiveKind(bucketKey ?? '') === 'pmtiles';

/** The names of all features with their places, for a search: `names.json?attribute=name`. */
export async function findNames({ cache, datasource, query }: DataRequest): Promise<Reply | undefined> {
  const { bucketId, bucketKey } = datasource;
  const attribute = new URLSearchParams(query()).get('attribute') ?? '';
  if (!hasNames(datasource, attribute)) return undefined;
  const file = await cache.file(bucketId!, bucketKey!);
  return file && { kind: 'document', bytes: await cache.names(file, attribute) };
}
