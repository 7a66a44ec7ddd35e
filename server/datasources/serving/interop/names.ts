import { archiveKind } from '../../address.ts';
import type { Reply } from '../reply.ts';
import type { DataRequest } from '../sources/source.ts';

const maxAttributeLength = 200;

/** Whether the names of features of a datasource are listed: those of vector tiles, which no page has all of. */
export const hasNames = (type: string, bucketKey: string | null, servedFolder: string | null): boolean =>
  type === 'vectortiles' && servedFolder === null && archiveKind(bucketKey ?? '') === 'pmtiles';

/** The names of all features with their places, for a search: `names.json?attribute=name`. */
export async function findNames({ cache, datasource, query }: DataRequest): Promise<Reply | undefined> {
  const { type, bucketId, bucketKey, servedFolder } = datasource;
  const attribute = new URLSearchParams(query()).get('attribute') ?? '';
  const isAttribute = attribute !== '' && attribute.length <= maxAttributeLength;
  if (!isAttribute || !hasNames(type, bucketKey, servedFolder)) return undefined;
  const file = await cache.file(bucketId!, bucketKey!);
  return file && { kind: 'document', bytes: await cache.names(file, attribute) };
}
