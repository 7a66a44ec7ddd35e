import type { JobChange } from '@platen/contract/events';
import { hasEnded, type Job, type JobLogEntry } from '@platen/contract/jobs';
import { useQuery } from '@pinia/colada';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import { usePolling } from '../live/use-polling.ts';
import { endOfLog } from './log-lines.ts';

/** Lines are passed on in batches, so that thousands a second cost little. */
const batchMs = 150;
/**
 * Polling interval for what no event reports, such as why a job waits, or for everything when there are no events.
 */
const pollMs = 5000;

/** The current state of a job and the lines of its log as they are written, from one event stream. */
export function useLiveJob(projectId: string, jobId: string) {
  const params = { projectId, jobId };
  const {
    data: polled,
    error,
    refetch,
  } = useQuery({
    key: () => projectKey(projectId, 'job', jobId),
    query: () => api.getProjectJob({ params }),
  });
  const streamed = shallowRef<Job>();
  const isConnected = ref(false);
  /** Number of the last line written, as far as known. */
  const lastSeq = ref(0);
  const job = computed(() => newest(polled.value, streamed.value));

  const listeners = new Set<(lines: readonly JobLogEntry[]) => void>();
  let pending: JobLogEntry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  function pass(): void {
    timer = undefined;
    const lines = pending;
    pending = [];
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
      if (event.event === 'job') streamed.value = event.data;
      else if (event.event === 'change') streamed.value = changed(job.value!, event.data);
      else if (event.event === 'log') {
        pending.push(event.data);
        timer ??= setTimeout(pass, batchMs);
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
  usePolling(() => {
    if (!isOver.value && (!isConnected.value || job.value?.state === 'queued')) void refetch();
  }, pollMs);

  /** Calls the listener with new log lines. Returns the function that removes it. */
  function onLines(listener: (lines: readonly JobLogEntry[]) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return { job, error, refetch, isConnected, isOver, lastSeq, onLines };
}
export type LiveJob = ReturnType<typeof useLiveJob>;

/** The higher revision; the reason for waiting is only in polled answers. */
function newest(polled: Job | undefined, streamed: Job | undefined): Job | undefined {
  if (!streamed || !polled || polled.revision >= streamed.revision) return polled ?? streamed;
  return streamed.state === 'queued' && polled.waitsFor
    ? { ...streamed, waitsFor: polled.waitsFor }
    : streamed;
}

function changed(job: Job, change: JobChange): Job {
  const fields = Object.entries({ ...job, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as Job;
}
