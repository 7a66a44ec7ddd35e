import { Type, type Static } from 'typebox';
import { JobWarning } from './jobs.ts';
import { FreeForm, strict } from './schema.ts';

export const JobWarnings = Type.Array(JobWarning, { maxItems: 200 });

const LayerSample = strict({
  layer: Type.String({ maxLength: 10_000 }),
  isWhole: Type.Boolean(),
  features: Type.Array(FreeForm, { maxItems: 1000 }),
});

/** Metadata of a datasource from its job type. */
const MadeDatasource = {
  type: Type.String({ minLength: 1, maxLength: 100 }),
  path: Type.String({ minLength: 1, maxLength: 1024, description: 'Relative to the output folder' }),
  bbox: Type.Optional(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
  typeProperties: FreeForm,
  properties: FreeForm,
};

/** Datasources that a job may make besides the primary one. */
export const maxFurtherDatasources = 200;

const FurtherDatasource = strict({
  key: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Identifies it among the results of the job type, such as `hillshade`: an update finds it again',
  }),
  title: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Follows the name of the primary datasource',
  }),
  ...MadeDatasource,
});
export type FurtherDatasource = Static<typeof FurtherDatasource>;

export const JobCompletion = strict({
  /** The primary datasource. */
  datasource: Type.Optional(strict(MadeDatasource)),
  furtherDatasources: Type.Optional(Type.Array(FurtherDatasource, { maxItems: maxFurtherDatasources })),
  fingerprint: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Hash of the options, the contents of the inputs and the version of the job type',
    }),
  ),
  /** An output file that records what the results were made of: a job that updates them reads both. */
  manifest: Type.Optional(
    strict({
      path: Type.String({ minLength: 1, maxLength: 1024, description: 'Relative to the output folder' }),
      recipe: Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'Hash of the options and of the version of the job type',
      }),
    }),
  ),
  isUnchanged: Type.Optional(
    Type.Boolean({
      description: 'The fingerprint is that of the former run: its datasources keep their data',
    }),
  ),
  /** The report of jobs without other outputs. */
  report: Type.Optional(FreeForm),
  /** Sample features, for inspections. */
  samples: Type.Optional(Type.Array(LayerSample, { maxItems: 100 })),
  warnings: JobWarnings,
});
export type JobCompletion = Static<typeof JobCompletion>;

/** Error code of an attempt that exceeded its timeout; it becomes the state of the job. */
export const timedOut = 'timedOut';

export const JobFailureReport = strict({
  code: Type.String({ minLength: 1, maxLength: 100 }),
  message: Type.String({ maxLength: 10_000 }),
  isTransient: Type.Optional(
    Type.Boolean({
      description:
        'Transient error outside the job, such as a network failure or a full disk of the runner. The job is retried later',
    }),
  ),
  warnings: JobWarnings,
});
export type JobFailureReport = Static<typeof JobFailureReport>;
