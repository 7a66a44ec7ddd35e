import type { Datasource } from '@platen/contract/datasources';
import { useQuery } from '@pinia/colada';
import { api } from '../api/api.ts';
import { nullIfMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';
import { usePermissions } from '../page/use-project.ts';

/** How a job made the data of a datasource; null if no job did. */
export function useLineage(datasource: () => Datasource | undefined) {
  const { may } = usePermissions(() => datasource()?.projectId);
  return useQuery({
    key: () => {
      const { projectId = '', _id = '', dataRevision = 0 } = datasource() ?? {};
      return projectKey(projectId, 'datasource', 'lineage', _id, dataRevision);
    },
    enabled: () => (datasource()?.jobIds.length ?? 0) > 0 && may('getJob'),
    query: () => {
      const { projectId, _id: datasourceId } = datasource()!;
      return api.getProjectDatasourceLineage({ params: { projectId, datasourceId } }).catch(nullIfMissing);
    },
  });
}
