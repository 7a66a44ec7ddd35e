import type { SearchHit } from '@platen/contract/search';
import type { RouteLocationRaw } from 'vue-router';

/** The page of a search hit. */
export function placeOf({ kind, id, projectId, dataBucketId, key }: SearchHit): RouteLocationRaw {
  if (kind === 'user') return { name: 'admin-users', query: { q: id } };
  const params = { projectId: projectId ?? id };
  switch (kind) {
    case 'project':
      return { name: 'overview', params };
    case 'app':
      return { name: 'app', params: { ...params, appId: id } };
    case 'module':
      return { name: 'module', params: { ...params, moduleId: id } };
    case 'datasource':
      return { name: 'datasource', params: { ...params, datasourceId: id } };
    case 'task':
      return { name: 'task', params: { ...params, taskId: id } };
    case 'dataBucket':
      return { name: 'files', params, query: { bucket: id } };
    case 'file':
      return { name: 'files', params, query: { bucket: dataBucketId, key } };
  }
}
