import type { Inspection } from '@platen/contract/inspect';
import { useQuery } from '@pinia/colada';
import { toValue, type MaybeRefOrGetter } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import type { ChosenFile } from './chosen-file.ts';

const maxRounds = 24;

/** The full inspection of a file or folder; polls until the runner has inspected it. */
export function useInspection(
  projectId: MaybeRefOrGetter<string>,
  file: MaybeRefOrGetter<ChosenFile | undefined>,
) {
  return useQuery({
    key: () => {
      const { dataBucketId = '', dataBucketKey = '' } = toValue(file) ?? {};
      return projectKey(toValue(projectId), 'objects', 'inspection', dataBucketId, dataBucketKey);
    },
    enabled: () => toValue(file) !== undefined,
    query: ({ signal }) => inspectFile(toValue(projectId), toValue(file)!, signal),
  });
}

/** @throws RequestFailed, or Error if it takes minutes */
export async function inspectFile(
  projectId: string,
  { dataBucketId, dataBucketKey: key }: ChosenFile,
  signal?: AbortSignal,
): Promise<Inspection> {
  for (let round = 0; round < maxRounds; round++) {
    const answer = await api.postProjectDataBucketInspect({
      params: { projectId, dataBucketId },
      query: { key, waitSeconds: 20 },
      ...(signal && { signal }),
    });
    if (!('jobId' in answer)) return answer;
  }
  throw new Error(`The inspection of “${key}” takes too long.`);
}
