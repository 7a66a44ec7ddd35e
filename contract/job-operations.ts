import { Type, type Static } from 'typebox';
import { JobOutputs, OperationId } from './jobs.ts';
import { FreeForm, Id, oneOf, Timestamp } from './schema.ts';

/** One phase of one attempt of a job. It is the only operation of its operation set, so their IDs are the same. */
export const JobOperation = Type.Object({
  _id: OperationId,
  jobId: Id,
  operationSetId: OperationId,
  operationSetStage: Type.String({ description: 'The same as `name`' }),
  operationType: Type.String({ description: 'The same as `name`' }),
  operationVersion: Type.String({ description: 'The version of the job type' }),
  attempt: Type.Integer(),
  number: Type.Integer({ description: 'Number of the phase within the attempt, from 1' }),
  name: Type.String(),
  labels: Type.Array(Type.String(), { description: 'Those of the job' }),
  tags: { ...FreeForm, description: 'Those of the job; empty in lists' },
  debugLevel: Type.Integer(),
  parameters: { ...FreeForm, description: 'Always empty: an operation uses those of the job' },
  outputs: Type.Optional({ ...JobOutputs, description: 'Those of the job; last operation only' }),
  errorMessage: Type.Optional(Type.String({ description: 'Why the job failed in this operation' })),
  status: Type.Integer({ minimum: 2, maximum: 6, description: 'Same values as of a job' }),
  state: oneOf(
    ['running', 'succeeded', 'failed', 'aborted', 'timedOut'],
    'aborted also if its runner stopped responding or was shut down',
  ),
  runnerName: Type.String(),
  startTime: Timestamp,
  endTime: Type.Optional(Timestamp),
  createdAt: { ...Timestamp, description: 'The same as `startTime`' },
  updatedAt: { ...Timestamp, description: 'The same as `endTime`, or `startTime` while it is running' },
  createdBy: Type.String(),
  updatedBy: Type.String(),
  done: Type.Number(),
  total: Type.Number({ description: '0 if unknown' }),
  unit: Type.Optional(Type.String({ description: 'Unit of `done` and `total`, such as bytes' })),
});
export type JobOperation = Static<typeof JobOperation>;

/** The operations of one phase of one attempt: exactly one. */
export const OperationSet = Type.Object({
  ...Type.Pick(JobOperation, [
    '_id',
    'jobId',
    'labels',
    'tags',
    'debugLevel',
    'status',
    'createdAt',
    'updatedAt',
    'createdBy',
    'updatedBy',
  ]).properties,
  jobCreatedAt: Timestamp,
  jobStage: Type.String({ description: 'Name of the phase' }),
  operationSetStages: Type.Array(Type.String()),
  currentOperationSetStage: Type.Optional(Type.String({ description: 'While it is running' })),
  operations: Type.Record(Type.String(), Type.Array(OperationId), {
    description: 'The IDs of its operations, by stage',
  }),
  priority: Type.Integer(),
  lastPing: Type.Optional({
    ...Timestamp,
    description: 'The latest report of the runner, while it is running',
  }),
});
export type OperationSet = Static<typeof OperationSet>;
