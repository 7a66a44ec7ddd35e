import type { ProjectEvent } from '@platen/contract/events';
import { useQueryCache, type UseQueryEntry } from '@pinia/colada';
import { onScopeDispose, watch } from 'vue';
import { api } from '../api/api.ts';
import { refetchQueries } from './refetch-queries.ts';
import { projectKey, type Topic } from './keys.ts';
import { forgetProgress, reportProgress } from './progress.ts';

const settleMs = 250;

/** Further topics that a change of this kind affects. */
const alsoChanged: Partial<Record<ProjectEvent['type'], readonly Topic[]>> = {
  job: ['task', 'datasource'],
  objects: ['usage', 'trash'],
  'data-bucket': ['objects', 'usage', 'trash'],
  datasource: ['trash', 'module', 'app'],
  release: ['app'],
  module: ['app', 'trash'],
  app: ['trash'],
  task: ['job'],
  member: ['permissions'],
};

const isAnswered = ({ asyncStatus }: UseQueryEntry) => asyncStatus.value === 'idle';

/** Keeps a project's cached answers current by its events while the component is mounted. */
export function followProject(projectId: () => string): void {
  const cache = useQueryCache();
  const changed = new Set<Topic>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function scheduleRefetch(id: string, topics: readonly Topic[]): void {
    for (const topic of topics) changed.add(topic);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const topic of changed) void refetchQueries(cache, projectKey(id, topic));
      changed.clear();
    }, settleMs);
  }

  async function follow(id: string, signal: AbortSignal): Promise<void> {
    for await (const event of api.getProjectEvents({ params: { projectId: id }, signal })) {
      if (event.event === 'progress') reportProgress(event.data._id, event.data.progress);
      else if (event.event === 'reset') void refetchQueries(cache, ['project', id]);
      // answers may be older than the start of the stream
      else if (event.event === 'ready') void refetchQueries(cache, ['project', id], isAnswered);
      else if (event.event === 'change') {
        const { type, _id: changedId, state } = event.data;
        if (type === 'job' && state !== 'running') forgetProgress(changedId);
        if (type === 'project') void refetchQueries(cache, ['projects']);
        scheduleRefetch(id, [type, 'summary', ...(alsoChanged[type] ?? [])]);
      }
    }
  }

  watch(
    projectId,
    (id, _, onCleanup) => {
      const stop = new AbortController();
      onCleanup(() => stop.abort());
      // without events everything still works: each visit fetches again
      follow(id, stop.signal).catch(() => {});
    },
    { immediate: true },
  );
  onScopeDispose(() => clearTimeout(timer));
}
