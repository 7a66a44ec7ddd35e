import type { DatasourceType } from '@platen/contract/datasource-types';
import type { InternalSource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { BytesError } from '@platen/formats/bytes/bytes';
import { ArchiveError } from '@platen/geo/pmtiles/header';
import type { Context } from '../../base/context.ts';
import { unusableAt } from '../../base/failure.ts';
import { parsersAreBusy, ParserStopped } from '../../base/parsers/parse-error.ts';
import { parseTask } from '../../base/parsers/parse-task.ts';
import { fileName } from '../parsing/parse-file.ts';
import type { SourceFiles } from '../source-files.ts';
import type { parse as checkTask } from './check.ts';
import { dataHost } from './data-host.ts';

const pointer = '/sourceProperties/dataBucketKey';
/** Checks of a project that may wait: their requests may hold a transaction open. */
const maxQueued = 4;
/** Checks of all projects together, so that other requests find connections of the database. */
const maxChecks = 6;
let checks = 0;
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
 * @throws Failure `unusable_reference` that says what is wrong and how to fix it, `unavailable` if too many checks run
 */
export async function checkData(
  context: Context,
  { projectId, type, files, source, typeProperties }: CheckRequest,
): Promise<void> {
  if (type === 'generic') return;
  if (checks >= maxChecks) throw parsersAreBusy();
  checks += 1;
  const { data, host } = dataHost(context, files, source);
  const checking = context.parsers.run(check, {
    input: { type, typeProperties, ...data },
    host,
    tenant: projectId,
    file: files.file ? fileName(files.file) : `The folder “${files.key}”`,
    maxQueued,
  });
  const refusal = await checking.catch(refusalOf).finally(() => (checks -= 1));
  if (refusal !== undefined) throw unusableAt(pointer, refusal);
}

/** The reason for a refusal that an error gives. @throws the error if it is not about the data */
function refusalOf(error: unknown): string {
  if (error instanceof ParserStopped) return error.message;
  if (error instanceof ArchiveError) return `The PMTiles archive is not usable: ${error.message}.`;
  if (error instanceof BytesError) return `The archive is not usable: ${error.message}.`;
  throw error;
}
