import type { Inspection } from '@platen/contract/inspect';
import type { ObjectSample } from '@platen/contract/object-sample';
import { useQuery } from '@pinia/colada';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { nullIfMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';
import type { ChosenFile } from '../inspect/chosen-file.ts';

/** Whether the file has features, or sheets whose outlines stand for them; the service only samples those. */
export const hasFeatures = (inspection: Inspection) =>
  isMosaic(inspection) ||
  (inspection.kind === 'vector' && inspection.layers.some(({ geometryTypes }) => geometryTypes.length > 0));

/** Whether it is a folder of sheets, of which the sample has the outlines, and those of gaps between them. */
export const isMosaic = ({ layers }: Pick<Inspection, 'layers'>) =>
  layers[0]?.details?.['sheets'] !== undefined;

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
