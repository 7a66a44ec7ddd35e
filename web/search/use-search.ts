import type { SearchHit } from '@platen/contract/search';
import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { api } from '../api/api.ts';

const settleMs = 120;

/** The service's hits for the text, shortly after the last keystroke; previous hits stay until then. */
export function useSearch(text: Ref<string>) {
  const hits = shallowRef<readonly SearchHit[]>([]);
  const isSearching = shallowRef(false);
  const failure = shallowRef<unknown>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: AbortController | undefined;

  async function search(query: string): Promise<void> {
    underWay?.abort();
    const { signal } = (underWay = new AbortController());
    try {
      const { items } = await api.getSearch({ query: { text: query, limit: 30 }, signal });
      hits.value = items;
      failure.value = undefined;
    } catch (error) {
      if (!signal.aborted) failure.value = error;
    } finally {
      if (!signal.aborted) isSearching.value = false;
    }
  }

  watch(text, (now) => {
    clearTimeout(timer);
    const query = now.trim();
    isSearching.value = query !== '';
    if (query === '') {
      underWay?.abort();
      hits.value = [];
    } else timer = setTimeout(() => void search(query), settleMs);
  });
  onScopeDispose(() => {
    clearTimeout(timer);
    underWay?.abort();
  });
  return { hits, isSearching, failure };
}
