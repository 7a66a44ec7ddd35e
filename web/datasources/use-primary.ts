import type { Datasource } from '@platen/contract/datasources';
import { useQuery } from '@pinia/colada';
import { api } from '../api/api.ts';
import { nullIfMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';

/** The primary datasource of a further one; null if it was deleted. */
export function usePrimary(datasource: () => Datasource | undefined) {
  return useQuery({
    key: () => {
      const { projectId = '', primaryDatasourceId = '' } = datasource() ?? {};
      return projectKey(projectId, 'datasource', 'primary', primaryDatasourceId);
    },
    enabled: () => datasource()?.primaryDatasourceId !== undefined,
    query: () => {
      const { projectId, primaryDatasourceId: datasourceId = '' } = datasource()!;
      return api.getProjectDatasource({ params: { projectId, datasourceId } }).catch(nullIfMissing);
    },
  });
}
