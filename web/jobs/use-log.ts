import { logLevels, type JobLogEntry } from '@platen/contract/jobs';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { api } from '../api/api.ts';
import { isAtEnd, readAfter, readBefore, readBeginning, readEnd, withNewLines } from './log-lines.ts';
import type { LogPlace, LogRange } from './log-lines.ts';
import type { LiveJob } from './use-live-job.ts';

export type LogLevel = (typeof logLevels)[number];

interface Options {
  readonly projectId: string;
  readonly jobId: string;
  /** The phase whose log to show; undefined for the whole log. */
  readonly operationId: () => string | undefined;
  readonly live: Pick<LiveJob, 'lastSeq' | 'onLines'>;
}

const typingMs = 300;

/** A job's log, read in pages in both directions and followed live, filtered by the service. */
export function useLog({ projectId, jobId, operationId, live }: Options) {
  const search = ref('');
  const levels = ref<readonly LogLevel[]>(logLevels);
  const range = shallowRef<LogRange>();
  const totals = shallowRef<Readonly<Record<LogLevel, number>>>();
  const failure = shallowRef<unknown>();
  const isReading = ref(false);
  let stop = new AbortController();

  async function read(place: LogPlace) {
    const text = search.value.trim();
    const query = {
      ...place,
      ...(levels.value.length < logLevels.length && { level: [...levels.value] }),
      ...(text !== '' && { search: text }),
    };
    const id = operationId();
    const { signal } = stop;
    const page = await api.getProjectJobLog({
      params: { projectId, jobId },
      query: { ...query, ...(id !== undefined && { operation: id }) },
      signal,
    });
    if (id === undefined) totals.value = page.totals;
    return page;
  }

  /** Reads one page at a time; lines written meanwhile are noticed at the end. */
  async function take(next: () => Promise<LogRange>): Promise<void> {
    const { signal } = stop;
    isReading.value = true;
    try {
      const found = await next();
      if (!signal.aborted) range.value = found;
      failure.value = undefined;
    } catch (error) {
      if (!signal.aborted) failure.value = error;
    } finally {
      if (!signal.aborted) isReading.value = false;
    }
  }
  function restart(how: () => Promise<LogRange>): Promise<void> {
    stop.abort();
    stop = new AbortController();
    return take(how);
  }
  const toEnd = () => restart(() => readEnd(read));
  const toBeginning = () => restart(() => readBeginning(read));
  async function more(direction: 'before' | 'after'): Promise<void> {
    const from = range.value;
    if (!from || isReading.value) return;
    if (direction === 'before' ? from.before === undefined : isAtEnd(from)) return;
    await take(() => (direction === 'before' ? readBefore(from, read) : readAfter(from, read)));
  }

  function matches({ level, message, operation }: JobLogEntry): boolean {
    const id = operationId();
    const text = search.value.trim().toLowerCase();
    return (
      levels.value.includes(level) &&
      (id === undefined || operation === id) &&
      (text === '' || message.toLowerCase().includes(text))
    );
  }
  /** Lines that arrive while a page is being read are read afterwards. */
  const stopListening = live.onLines((entries) => {
    const known = range.value;
    if (known && !isReading.value) range.value = withNewLines(known, entries, matches);
    count(entries);
  });
  function count(entries: readonly JobLogEntry[]): void {
    if (!totals.value) return;
    const next = { ...totals.value };
    for (const { level } of entries) next[level] += 1;
    totals.value = next;
  }
  watch([live.lastSeq, isReading], ([lastSeq, busy]) => {
    const known = range.value;
    if (!known || busy || known.lastSeq >= lastSeq) return;
    range.value = { ...known, lastSeq };
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(search, () => {
    clearTimeout(timer);
    timer = setTimeout(toEnd, typingMs);
  });
  watch([levels, operationId], toEnd, { immediate: true });
  onScopeDispose(() => {
    stop.abort();
    clearTimeout(timer);
    stopListening();
  });

  const lines = computed(() => range.value?.lines ?? []);
  const hasMore = computed(() => range.value !== undefined && !isAtEnd(range.value));
  return { search, levels, lines, totals, failure, isReading, hasMore, more, toEnd, toBeginning, range };
}
