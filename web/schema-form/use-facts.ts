import type { Inspection, PendingInspection } from '@platen/contract/inspect';
import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import type { Facts } from './form.ts';

interface StoredSource {
  readonly dataBucketId: string;
  readonly dataBucketKey: string;
}

const maxInspected = 3;
const isDone = (reply: Inspection | PendingInspection): reply is Inspection => 'layers' in reply;

/** The files and folders among a task's sources. */
export function storedSourcesOf(input: unknown): readonly StoredSource[] {
  const sources: readonly unknown[] = Array.isArray(input) ? input : [input];
  return sources.flatMap((source) => {
    const { dataBucketId, dataBucketKey } = (source ?? {}) as Partial<StoredSource>;
    return dataBucketId && dataBucketKey ? [{ dataBucketId, dataBucketKey }] : [];
  });
}

/** The layers and attributes of the files in a form, from inspecting the first of them. */
export function useFacts(projectId: () => string, input: () => unknown) {
  const sources = computed(() => storedSourcesOf(input()).slice(0, maxInspected));
  const { data, isPending } = useQuery({
    key: () => projectKey(projectId(), 'objects', 'facts', sources.value as object),
    enabled: () => sources.value.length > 0,
    query: ({ signal }) =>
      Promise.all(sources.value.map((source) => inspect(projectId(), source, signal).catch(() => undefined))),
  });
  return computed<Facts>(() => {
    const layers = (data.value ?? []).flatMap((inspection) => inspection?.layers ?? []);
    const byName = new Map(
      layers.flatMap(({ fields }) => fields.map((field) => [field.name, field] as const)),
    );
    return {
      layers,
      attributes: [...byName.values()],
      isPending: sources.value.length > 0 && isPending.value,
    };
  });
}

/** Waits for the inspection; each request waits as long as the service allows. */
export async function inspect(
  projectId: string,
  { dataBucketId, dataBucketKey }: StoredSource,
  signal: AbortSignal,
): Promise<Inspection> {
  for (;;) {
    const reply = await api.postProjectDataBucketInspect({
      params: { projectId, dataBucketId },
      query: { key: dataBucketKey },
      signal,
    });
    if (isDone(reply)) return reply;
  }
}
