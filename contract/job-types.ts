import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { FreeForm, page } from './schema.ts';

const fields = {
  jobType: Type.String({ description: 'Name to use in tasks; other lowercase prefixes are equivalent' }),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  version: Type.Integer({ description: 'Increases when the same parameters produce a different output' }),
  permission: Type.String({ description: 'Permission needed to create, change and run tasks of this type' }),
  datasourceType: Type.Optional(
    Type.String({ description: 'Type of the datasource it creates; absent if it creates files only' }),
  ),
  datasourceTypes: Type.Array(Type.String(), {
    description: 'All possible types, if its options determine the type',
  }),
  furtherDatasourceTypes: Type.Array(Type.String(), {
    description: 'Types of the datasources that it may create besides that one',
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
    accessTokens: 'any',
    reply: page(JobTypeSummary),
  },
  getJobType: {
    method: 'GET',
    path: '/job-type/:jobType',
    tag,
    summary: 'Get a job type with the JSON Schema of its parameters',
    access: 'user',
    accessTokens: 'any',
    reply: JobType,
  },
});
