import type { Datasource } from '@platen/contract/datasources';
import { useQueryCache } from '@pinia/colada';
import { api } from '../api/api.ts';
import { i18n } from '../i18n/i18n.ts';
import { projectKey } from '../live/keys.ts';
import { offerUndo } from '../live/undo-deletion.ts';
import { deleteWithUses } from '../used-by/delete-with-uses.ts';

/** Moves a datasource to the trash, after a confirmation if modules use it. Resolves to whether it was deleted. */
export function useDatasourceDeletion() {
  const cache = useQueryCache();
  return async function remove({ projectId, _id: datasourceId, name }: Datasource): Promise<boolean> {
    const params = { projectId, datasourceId };
    const isGone = await deleteWithUses({
      name,
      remove: (force) => api.deleteProjectDatasource({ params, query: force ? { force } : {} }),
      uses: async () => (await api.getProjectDatasourceUsedBy({ params, query: { limit: 100 } })).items,
    });
    if (!isGone) return false;
    const refresh = () => cache.invalidateQueries({ key: projectKey(projectId, 'datasource') });
    const text = i18n.global.t('datasources.deleted', { name });
    offerUndo({ projectId, type: 'datasource', resourceId: datasourceId, text, restored: refresh });
    await refresh();
    return true;
  };
}
