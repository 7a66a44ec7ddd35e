import type { Inspection } from '@platen/contract/inspect';
import type { ObjectSample } from '@platen/contract/object-sample';
import { useQuery } from '@pinia/colada';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { isMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';
import type { ChosenFile } from '../inspect/chosen-file.ts';

/** Whether there are features to be asked for: of others the service has no sample. */
export const hasFeatures = ({ kind, layers }: Inspection) =>
  (kind === 'vector' || kind === 'cityModel') && layers.some(({ geometryTypes }) => geometryTypes.length > 0);

/** Some features of a layer of a file that was inspected; null for what has none, such as rasters. */
export function useSample(
  projectId: MaybeRefOrGetter<string>,
  file: MaybeRefOrGetter<ChosenFile>,
  { layer, isEnabled }: { layer: MaybeRefOrGetter<string | undefined>; isEnabled: () => boolean },
) {
  return useQuery({
    key: () => {
      const { dataBucketId, dataBucketKey } = toValue(file);
      const of = [dataBucketId, dataBucketKey, toValue(layer) ?? ''];
      return projectKey(toValue(projectId), 'objects', 'sample', ...of);
    },
    enabled: isEnabled,
    query: async ({ signal }): Promise<ObjectSample | null> => {
      const { dataBucketId, dataBucketKey: key } = toValue(file);
      const name = toValue(layer);
      try {
        return await api.getProjectDataBucketObjectSample({
          params: { projectId: toValue(projectId), dataBucketId },
          query: { key, ...(name !== undefined && { layer: name }) },
          signal,
        });
      } catch (failure) {
        if (isMissing(failure)) return null;
        throw failure;
      }
    },
  });
}
