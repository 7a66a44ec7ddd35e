import type { ModulePreview } from '@platen/contract/module-preview';
import { useQuery } from '@pinia/colada';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';

/** The installed map viewers, newest first. */
export const useMapVersions = () =>
  useQuery({ key: ['map-versions'], query: () => api.getMapVersions(), staleTime: 300_000 });

interface EngineSelection {
  readonly projectId: string;
  readonly moduleIds: readonly string[];
  /** A semver range, possibly not yet stored. */
  readonly mapVersion: string;
}

/** Which map viewer a range resolves to, and what of these modules it does not support. */
export const useEngineLook = (selection: MaybeRefOrGetter<EngineSelection>) =>
  useQuery({
    key: () => {
      const { projectId, moduleIds, mapVersion } = toValue(selection);
      return projectKey(projectId, 'app', 'engine', mapVersion, [...moduleIds]);
    },
    enabled: () => toValue(selection).mapVersion !== '',
    query: (): Promise<ModulePreview> => {
      const { projectId, moduleIds, mapVersion } = toValue(selection);
      const stored = moduleIds.map((moduleId) => ({ moduleId }));
      const modules = stored.length > 0 ? stored : [{ module: {} }];
      const body = { modules, mapVersion, isApp: true };
      return api.postProjectModulePreview({ params: { projectId }, body });
    },
  });
