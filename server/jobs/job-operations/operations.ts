import type { JobLogPage, JobOperationListQuery } from '@platen/contract/job-log';
import type { JobLogQuery } from '@platen/contract/job-log';
import type { JobOperation, JobOutput, OutputListQuery } from '@platen/contract/jobs';
import type { Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import { readLog } from '../log/operations.ts';
import { listOutputs } from '../outputs.ts';
import { findOperation, findOperations, operationKeyOf } from './store.ts';

interface Path {
  readonly projectId: string;
  readonly jobId: string;
  readonly operationId: string;
}

export function listOperations(
  { db }: Context,
  jobId: string,
  query: JobOperationListQuery,
): Promise<Page<JobOperation>> {
  return findOperations(db, jobId, query);
}

export async function getOperation({ db }: Context, { jobId, operationId }: Path): Promise<JobOperation> {
  const key = operationKeyOf(operationId);
  const operation = key && (await findOperation(db, jobId, key));
  if (!operation) throw notFound('operation');
  return operation;
}

export async function readLogOfOperation(
  context: Context,
  path: Path,
  query: Omit<JobLogQuery, 'operation'>,
): Promise<JobLogPage> {
  const { _id: operation } = await getOperation(context, path);
  return readLog(context, path.jobId, { ...query, operation });
}

/** The phase in which the runner uploads the outputs. */
const uploadPhase = 'upload';

/**
 * The outputs of an operation. All of them belong to the last phase, because they become visible when the job
 * completes.
 */
export async function listOutputsOfOperation(
  context: Context,
  path: Path,
  query: OutputListQuery,
): Promise<Page<JobOutput>> {
  const { name, state } = await getOperation(context, path);
  if (name === uploadPhase && state === 'succeeded') return listOutputs(context, path, query);
  return { items: [], limit: query.limit, page: query.page, totalCount: 0, totalPages: 0 };
}
