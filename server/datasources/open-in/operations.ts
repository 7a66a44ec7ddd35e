import type { DataLink, DataLinks } from '@platen/contract/open-in';
import type { Context } from '../../base/context.ts';
import { getDatasource, type DatasourcePath } from '../operations.ts';
import { linksOf, type Link } from './links.ts';
import { findReadableData } from './read-access.ts';
import { texts } from './texts.ts';

/** Links for opening the data of a datasource in other programs; `origin` is the address of this service. */
export async function listLinks(
  context: Context,
  { origin, ...path }: DatasourcePath & { readonly origin: string },
): Promise<DataLinks> {
  const shown = await findReadableData(context, await getDatasource(context, path));
  return { isPublic: shown.isPublic, items: linksOf(shown, origin).map(inWords) };
}

function inWords({ kind, url, command, notes }: Link): DataLink {
  const { titles, notes: words } = texts.en;
  return {
    kind,
    title: titles[kind],
    url,
    ...(command !== undefined && { command }),
    ...(notes.length > 0 && { note: notes.map((note) => words[note]).join(' ') }),
    notes: [...notes],
  };
}
