import type { JobOperationListQuery, OperationSetListQuery } from '@platen/contract/job-log';
import type { JobOutputs } from '@platen/contract/jobs';
import type { JobOperation, OperationSet } from '@platen/contract/job-operations';
import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import { textOfLog } from '../log/operations.ts';
import { findOperation, findOperations, findOperationSets, operationKeyOf } from './store.ts';

interface Path {
  readonly jobId: string;
  readonly operationId: string;
}

export function listOperations(
  { db }: Context,
  jobId: string,
  query: JobOperationListQuery,
): Promise<JobOperation[]> {
  return findOperations(db, jobId, query);
}

export function listOperationSets(
  { db }: Context,
  jobId: string,
  query: OperationSetListQuery,
): Promise<OperationSet[]> {
  return findOperationSets(db, jobId, query);
}

export async function getOperation({ db }: Context, { jobId, operationId }: Path): Promise<JobOperation> {
  const key = operationKeyOf(operationId);
  const operation = key && (await findOperation(db, jobId, key));
  if (!operation) throw notFound('operation');
  return operation;
}

export async function textOfOperationLog(context: Context, path: Path): Promise<AsyncGenerator<string>> {
  const { attempt, number: n } = await getOperation(context, path);
  return textOfLog(context, path.jobId, { format: 'text', operation: { attempt, n } });
}

export async function getOutputsOfOperation(context: Context, path: Path): Promise<JobOutputs> {
  const { outputs } = await getOperation(context, path);
  return outputs ?? { datasourceIds: [] };
}
