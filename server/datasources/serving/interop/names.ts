import type { SourceProperties } from '@platen/contract/datasources';
import { archiveKind, pathOf } from '../../address.ts';
import type { NameQuery } from '../names-of-file.ts';
import type { Reply } from '../reply.ts';
import type { DataRequest } from '../sources/source.ts';

const maxAttributeLength = 200;

interface Source {
  readonly type: string;
  readonly sourceProperties: SourceProperties;
  readonly bucketKey: string | null;
  readonly servedFolder: string | null;
}

/** Data of which no page has all features, by the kind of their file. */
const listed: Readonly<Record<string, string | undefined>> = {
  vectortiles: 'pmtiles',
  flatgeobuf: 'file',
  tileset: 'zip',
};

/** Whether the names of features by an attribute are listed. */
export const hasNames = ({ type, bucketKey, servedFolder }: Source, attribute: string): boolean =>
  attribute !== '' &&
  attribute.length <= maxAttributeLength &&
  servedFolder === null &&
  bucketKey !== null &&
  listed[type] === (archiveKind(bucketKey) ?? 'file');

/** What a list of names is made of. */
export const nameQuery = ({ type, sourceProperties }: Source, attribute: string): NameQuery => ({
  attribute,
  type,
  entry: (sourceProperties.type === 'internal' && pathOf(sourceProperties)) || 'tileset.json',
});

/** The names of all features with their places, for a search: `names.json?attribute=name`. */
export async function findNames({ cache, datasource, query }: DataRequest): Promise<Reply | undefined> {
  const { bucketId, bucketKey } = datasource;
  const attribute = new URLSearchParams(query()).get('attribute') ?? '';
  if (!hasNames(datasource, attribute)) return undefined;
  const file = await cache.file(bucketId!, bucketKey!);
  return file && { kind: 'document', bytes: await cache.names(file, nameQuery(datasource, attribute)) };
}
