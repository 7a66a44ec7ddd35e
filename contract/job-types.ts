import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { FreeForm, page } from './schema.ts';

const fields = {
  jobType: Type.String({ description: 'What a task names; other lowercase prefixes mean the same' }),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  version: Type.Integer({ description: 'Rises when the same parameters give another output' }),
  permission: Type.String({ description: 'Needed to create, change and run tasks of it' }),
  datasourceType: Type.Optional(
    Type.String({ description: 'The type of datasource that it makes; absent where it makes files alone' }),
  ),
  datasourceTypes: Type.Array(Type.String(), {
    description: 'All types that it may make, where its options decide',
  }),
};

export const JobTypeSummary = Type.Object(fields);
export type JobTypeSummary = Static<typeof JobTypeSummary>;

/** A job type with the JSON Schema (2020-12) of its tasks' `parameters`: titles, units, help and defaults included. */
export const JobType = Type.Object({ ...fields, parameters: FreeForm });
export type JobType = Static<typeof JobType>;

const tag = 'tasks';

export const jobTypeEndpoints = endpoints({
  getJobTypes: {
    method: 'GET',
    path: '/job-types',
    tag,
    summary: 'List the job types',
    access: 'user',
    reply: page(JobTypeSummary),
  },
  getJobType: {
    method: 'GET',
    path: '/job-type/:jobType',
    tag,
    summary: 'Get a job type with the JSON Schema of its parameters',
    access: 'user',
    reply: JobType,
  },
});
