import type { App } from '@platen/contract/apps';
import type { Datasource } from '@platen/contract/datasources';
import { api } from '../api/api.ts';
import { isConflict } from '../api/failure.ts';
import type { JoinedMap } from './map-module.ts';

/** What a module has to fit into. @throws RequestFailed */
export async function joinedMapOf(app: App, datasource: Pick<Datasource, '_id'>): Promise<JoinedMap> {
  const params = { projectId: app.projectId, appId: app._id };
  const { modules } = await api.getProjectAppCompiled({ params });
  const maps = modules.flatMap((module) =>
    Array.isArray(module['maps']) ? (module['maps'] as unknown[]) : [],
  );
  const mapTypes = new Set(maps.map((map) => (map as { readonly type?: unknown } | null)?.type));
  // identifiers are letters and digits, and a datasource is added once
  return { mark: `-${datasource._id}`, mapTypes };
}

/** Somebody else may change the app meanwhile. */
const maxAttempts = 3;

/** Adds a module after all others. @throws RequestFailed */
export async function addToApp({ projectId, _id: appId }: App, moduleId: string): Promise<App> {
  const params = { projectId, appId };
  for (let attempt = 1; ; attempt++) {
    const { revision, moduleIds } = await api.getProjectApp({ params });
    const headers = { 'if-match': `"${revision}"` };
    const body = { moduleIds: [...moduleIds.filter((id) => id !== moduleId), moduleId] };
    try {
      return await api.putProjectApp({ params, body, headers });
    } catch (failure) {
      if (!isConflict(failure) || attempt === maxAttempts) throw failure;
    }
  }
}
