import type { JobChange } from '@platen/contract/events';
import { hasEnded, type Job, type JobLogEntry } from '@platen/contract/jobs';
import { useQuery } from '@pinia/colada';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import { useRepeated } from '../live/repeated.ts';
import { endOfLog } from './log-lines.ts';

/** Lines are passed on in batches, so that thousands a second cost little. */
const heapMs = 150;
/**
 * Polling interval for what no event reports, such as why a job waits, or for everything when there are no events.
 */
const askEveryMs = 5000;

/** The current state of a job and the lines of its log as they are written, from one event stream. */
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
  /** Number of the last line written, as far as known. */
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
    // start at the newest line; earlier lines are read in pages when someone scrolls to them
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
        .catch(() => {}) // without events, polling continues
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

  /** Calls the listener with new log lines. Returns the function that removes it. */
  function onLines(listener: (lines: readonly JobLogEntry[]) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return { job, error, refetch, isConnected, isOver, lastSeq, onLines };
}
export type LiveJob = ReturnType<typeof useLiveJob>;

/** The higher revision; the reason for waiting is only in polled answers. */
function newest(asked: Job | undefined, told: Job | undefined): Job | undefined {
  if (!told || !asked || asked.revision >= told.revision) return asked ?? told;
  return told.state === 'queued' && asked.waitsFor ? { ...told, waitsFor: asked.waitsFor } : told;
}

function changed(job: Job, change: JobChange): Job {
  const fields = Object.entries({ ...job, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as Job;
}
