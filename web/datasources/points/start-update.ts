import type { Datasource } from '@platen/contract/datasources';
import type { DatasourceLineage } from '@platen/contract/lineage';
import { api } from '../../api/api.ts';
import { isMissing } from '../../api/failure.ts';
import { updateParameters } from './point-update.ts';

/**
 * Runs the job that made a datasource again with more inputs, so that it updates the datasource; as a new task if that job
 * was deleted. @returns the id of the new job @throws RequestFailed
 */
export async function startUpdate(
  { projectId, name }: Datasource,
  { jobId, jobType, parameters: made }: DatasourceLineage,
  update: Parameters<typeof updateParameters>[1],
): Promise<string> {
  const parameters = updateParameters(made, update);
  try {
    const { _id } = await api.postProjectJobRun({ params: { projectId, jobId }, body: { parameters } });
    return _id;
  } catch (failure) {
    if (!isMissing(failure)) throw failure;
    const { lastJob } = await api.postProjectTaskSync({
      params: { projectId },
      query: { waitSeconds: 0 },
      body: { name, jobType, parameters },
    });
    return lastJob._id;
  }
}
