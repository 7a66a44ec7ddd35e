import type { DatasourceType } from '@platen/contract/datasource-types';
import type { InternalSource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { Context } from '../../base/context.ts';
import { unusableAt } from '../../base/failure.ts';
import { ParserStopped } from '../../base/parsers/parse-error.ts';
import { parseTask } from '../../base/parsers/parse-task.ts';
import { fileName } from '../parsing/parse-file.ts';
import type { SourceFiles } from '../source-files.ts';
import type { CheckInput, parse as checkTask } from './check.ts';
import { dataHost } from './data-host.ts';

const pointer = '/sourceProperties/dataBucketKey';
/** Checks of a project that may wait: their requests may hold a transaction open. */
const maxQueued = 4;
const check = parseTask<typeof checkTask>(new URL('./check.ts', import.meta.url));

interface CheckRequest {
  readonly projectId: string;
  readonly type: DatasourceType;
  readonly files: SourceFiles;
  readonly source: InternalSource;
  readonly typeProperties: FreeForm;
}

/**
 * Checks that data is of its type and can be shown by the viewer.
 * @throws Failure `unusable_reference` that says what is wrong and how to fix it
 */
export async function checkData(
  context: Context,
  { projectId, type, files: place, source, typeProperties }: CheckRequest,
): Promise<void> {
  if (type === 'generic') return;
  const refusal = await refusalOf(context, { projectId, type, place, source, typeProperties });
  if (refusal !== undefined) throw unusableAt(pointer, refusal);
}

async function refusalOf(
  context: Context,
  {
    projectId,
    place,
    source,
    ...input
  }: Pick<CheckInput, 'type' | 'typeProperties'> &
    Pick<CheckRequest, 'projectId' | 'source'> & { readonly place: SourceFiles },
): Promise<string | undefined> {
  const { data, host } = dataHost(context, place, source);
  try {
    return await context.parsers.run(check, {
      input: { ...input, ...data },
      host,
      tenant: projectId,
      file: place.file ? fileName(place.file) : `The folder “${place.key}”`,
      maxQueued,
    });
  } catch (error) {
    if (error instanceof ParserStopped) return error.message;
    if (error instanceof ArchiveError) return `The PMTiles archive is not usable: ${error.message}.`;
    if (error instanceof BytesError) return `The archive is not usable: ${error.message}.`;
    throw error;
  }
}
