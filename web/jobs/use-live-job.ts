import type { JobChange } from '@platen/contract/events';
import { hasEnded, type Job, type JobLogEntry } from '@platen/contract/jobs';
import { useQuery } from '@pinia/colada';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import { useRepeated } from '../live/repeated.ts';
import { endOfLog } from './log-lines.ts';

/** Lines are passed on in heaps, so that thousands in a second cost no more than some. */
const heapMs = 150;
/** What no event tells of, such as why a job waits, or anything at all when there are none. */
const askEveryMs = 5000;

/** A job as it is at any moment, and the lines of its log as they are written, by one stream of events. */
export function useLiveJob(projectId: string, jobId: string) {
  const params = { projectId, jobId };
  const {
    data: asked,
    error,
    refetch,
  } = useQuery({
    key: () => projectKey(projectId, 'job', jobId),
    query: () => api.getProjectJob({ params }),
  });
  const told = shallowRef<Job>();
  const isConnected = ref(false);
  /** Of the last line that was written, as far as is known. */
  const lastSeq = ref(0);
  const job = computed(() => newest(asked.value, told.value));

  const listeners = new Set<(lines: readonly JobLogEntry[]) => void>();
  let heap: JobLogEntry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  function pass(): void {
    timer = undefined;
    const lines = heap;
    heap = [];
    lastSeq.value = Math.max(lastSeq.value, lines.at(-1)?.seq ?? 0);
    for (const listener of listeners) listener(lines);
  }

  async function follow(revision: number, signal: AbortSignal): Promise<void> {
    // from the newest line on: those before are read by pages, as far as somebody scrolls
    const end = await api.getProjectJobLog({ params, query: { before: endOfLog, limit: 1 }, signal });
    lastSeq.value = end.lastSeq;
    isConnected.value = true;
    const query = { lastEventId: `${revision}.${end.lastSeq}` };
    for await (const event of api.getProjectJobEvents({ params, query, signal })) {
      if (event.event === 'job') told.value = event.data;
      else if (event.event === 'change') told.value = changed(job.value!, event.data);
      else if (event.event === 'log') {
        heap.push(event.data);
        timer ??= setTimeout(pass, heapMs);
      }
    }
  }

  const stop = new AbortController();
  const isOver = computed(() => job.value !== undefined && hasEnded(job.value.state));
  const stopWaiting = watch(
    job,
    (one) => {
      if (!one) return;
      stopWaiting?.stop();
      if (hasEnded(one.state)) return;
      follow(one.revision, stop.signal)
        .catch(() => {}) // without events it is asked again and again
        .finally(() => (isConnected.value = false));
    },
    { immediate: true, flush: 'post' },
  );
  onScopeDispose(() => {
    stop.abort();
    clearTimeout(timer);
  });
  useRepeated(() => {
    if (!isOver.value && (!isConnected.value || job.value?.state === 'queued')) void refetch();
  }, askEveryMs);

  /** Calls it with lines that were just written, until the function that it returns is called. */
  function onLines(listener: (lines: readonly JobLogEntry[]) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return { job, error, refetch, isConnected, isOver, lastSeq, onLines };
}
export type LiveJob = ReturnType<typeof useLiveJob>;

/** The one of the higher revision; why it waits is told only to those who ask. */
function newest(asked: Job | undefined, told: Job | undefined): Job | undefined {
  if (!told || !asked || asked.revision >= told.revision) return asked ?? told;
  return told.state === 'queued' && asked.waitsFor ? { ...told, waitsFor: asked.waitsFor } : told;
}

function changed(job: Job, change: JobChange): Job {
  const fields = Object.entries({ ...job, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as Job;
}
