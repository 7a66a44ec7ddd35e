import { namedStylesOf } from '@platen/contract/named-styles';
import type { StyleExport, StyleFormat, StyleImport, StyleToExport } from '@platen/contract/style-files';
import { writeStyleFile } from '@platen/styles/exchange/write-style-file';
import { originOf } from '@platen/styles/style-item';
import type { Static } from 'typebox';
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

export function exportStyle({ name = 'Style', ...style }: Static<typeof StyleToExport>): StyleExport {
  return writeStyleFile({ ...style, name }, style.format);
}

interface DatasourceStyle {
  readonly projectId: string;
  readonly datasourceId: string;
  readonly format: StyleFormat;
  /** By default that of the first style. */
  readonly name: string | undefined;
}

/** @throws Failure `not_found` without such a style, `unprocessable` if it is not by attribute */
export async function exportDatasourceStyle(
  context: Context,
  { format, name, ...path }: DatasourceStyle,
): Promise<StyleExport> {
  const { properties } = await getDatasource(context, path);
  const styles = namedStylesOf(properties);
  const item = name === undefined ? styles[0] : styles.find((style) => style.name === name);
  if (!item) throw notFound('style');
  const origin = originOf(item);
  if (!origin)
    throw new Failure(
      'unprocessable',
      `The style “${item.name}” is written as expressions, which other programs do not have. Choose “By attributes” to export it.`,
    );
  return writeStyleFile({ ...origin, name: item.name }, format);
}
