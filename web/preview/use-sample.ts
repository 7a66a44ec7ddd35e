import type { Inspection } from '@platen/contract/inspect';
import type { ObjectSample } from '@platen/contract/object-sample';
import { useQuery } from '@pinia/colada';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { nullIfMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';
import type { ChosenFile } from '../inspect/chosen-file.ts';

/** Whether the file has features; the service only samples those. */
export const hasFeatures = ({ kind, layers }: Inspection) =>
  kind === 'vector' && layers.some(({ geometryTypes }) => geometryTypes.length > 0);

/** Sample features of a layer of an inspected file; null for files without features, such as rasters. */
export function useSample(
  projectId: MaybeRefOrGetter<string>,
  file: MaybeRefOrGetter<ChosenFile>,
  { layer, isEnabled }: { layer: MaybeRefOrGetter<string | undefined>; isEnabled: () => boolean },
) {
  return useQuery({
    key: () => {
      const { dataBucketId, dataBucketKey } = toValue(file);
      const parts = [dataBucketId, dataBucketKey, toValue(layer) ?? ''];
      return projectKey(toValue(projectId), 'objects', 'sample', ...parts);
    },
    enabled: isEnabled,
    query: ({ signal }): Promise<ObjectSample | null> => {
      const { dataBucketId, dataBucketKey: key } = toValue(file);
      const name = toValue(layer);
      const request = {
        params: { projectId: toValue(projectId), dataBucketId },
        query: { key, ...(name !== undefined && { layer: name }) },
        signal,
      };
      return api.getProjectDataBucketObjectSample(request).catch(nullIfMissing);
    },
  });
}
