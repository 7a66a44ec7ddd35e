import { namedStylesOf } from '@platen/contract/named-styles';
import {
  StyleOrigin,
  type StyleExport,
  type StyleFormat,
  type StyleImport,
  type StyleToExport,
} from '@platen/contract/style-files';
import { StyleFileError } from '@platen/styles/exchange/read-error';
import { writeStyleFile } from '@platen/styles/exchange/write-style-file';
import { originOf } from '@platen/styles/style-item';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt, notFound } from '../../base/failure.ts';
import { parseTask } from '../../base/parsers/parse-task.ts';
import { getDatasource } from '../operations.ts';
import type { parse } from './read-style-file.ts';

const readStyleFile = parseTask<typeof parse>(new URL('./read-style-file.ts', import.meta.url));

/** @throws Failure `invalid` with line and column if the file is broken, `unprocessable` if it is too complex */
export async function importStyles(
  { parsers }: Context,
  { projectId, text }: { projectId: string; text: string },
): Promise<StyleImport> {
  const request = { input: text, host: {}, tenant: projectId, file: 'The style file' };
  const read = await parsers.run(readStyleFile, request);
  if ('problem' in read) throw invalidAt('/text', read.problem);
  return read;
}

/** @throws Failure `unprocessable` if the file would be too long */
export function exportStyle({ name = 'Style', format, ...style }: Static<typeof StyleToExport>): StyleExport {
  try {
    return writeStyleFile({ ...style, name }, format);
  } catch (error) {
    if (error instanceof StyleFileError) throw new Failure('unprocessable', error.message);
    throw error;
  }
}

/** Clients may have written anything into the properties of a style. */
const itemWithOrigin = Compile(Type.Object({ properties: Type.Object({ mapStyle: StyleOrigin }) }));

interface DatasourceStyle {
  readonly projectId: string;
  readonly datasourceId: string;
  readonly format: StyleFormat;
  /** By default that of the first style. */
  readonly name: string | undefined;
}

/** @throws Failure `not_found` without such a style, `unprocessable` if it is not by attribute, or too long */
export async function exportDatasourceStyle(
  context: Context,
  { format, name, ...path }: DatasourceStyle,
): Promise<StyleExport> {
  const { properties } = await getDatasource(context, path);
  const styles = namedStylesOf(properties);
  const item = name === undefined ? styles[0] : styles.find((style) => style.name === name);
  if (!item) throw notFound('style');
  const origin = itemWithOrigin.Check(item) ? originOf(item) : undefined;
  if (!origin)
    throw new Failure(
      'unprocessable',
      `The style “${item.name}” is written as expressions, which other programs do not have. Choose “By attributes” to export it.`,
    );
  return exportStyle({ ...origin, name: item.name, format });
}
