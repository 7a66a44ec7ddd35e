import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { FreeForm, Id } from './schema.ts';

/** How the data of a datasource was made. */
export const DatasourceLineage = Type.Object({
  jobId: Type.String({ description: 'The job, which may have been deleted since' }),
  taskId: Id,
  jobType: Type.String(),
  jobVersion: Type.String(),
  parameters: FreeForm,
  fingerprint: Type.Optional(
    Type.String({
      description:
        'SHA-256 of the options, the contents of the inputs and the version of the job type, if all were known',
    }),
  ),
});
export type DatasourceLineage = Static<typeof DatasourceLineage>;

export const lineageEndpoints = endpoints({
  getProjectDatasourceLineage: {
    method: 'GET',
    path: '/project/:projectId/datasource/:datasourceId/lineage',
    tag: 'datasources',
    summary: 'Get the job type, options and inputs that made the current data of a datasource',
    description: '404 if no job made it, or files of it have been replaced since.',
    access: { permission: 'getJob' },
    reply: DatasourceLineage,
  },
});
