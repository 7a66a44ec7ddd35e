import { hasNames, nameQuery } from '../../datasources/serving/interop/names.ts';
import { findFile, type SourceContext } from './folder-part.ts';
import { digestOf, type Entry } from './part.ts';
import { gone } from './plain-bytes.ts';
import type { BundleSource } from './sources.ts';

/** An attribute by which a map searches the features of a source. */
export interface SearchedNames {
  readonly source: BundleSource;
  readonly attribute: string;
}

/** The file, in the folder of the source, that lists the names of its features; undefined if the map reads them itself. */
export const namesFile = ({ source, attribute }: SearchedNames): string | undefined =>
  hasNames(source, attribute) ? `names-${digestOf(attribute).slice(0, 16)}.json` : undefined;

/** The list, made when the file is read: a static server cannot search the tiles. */
export async function namesEntry(
  sourceContext: SourceContext,
  { source, attribute }: SearchedNames,
  path: string,
): Promise<Entry> {
  const file = await findFile(sourceContext, source, source.bucketKey!);
  if (!file) throw gone();
  return {
    path,
    version: digestOf(`${file.etag} ${attribute}`),
    contentType: 'application/json',
    open: () => sourceContext.library.names(file, nameQuery(source, attribute)),
  };
}
