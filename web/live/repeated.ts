import { onUnmounted } from 'vue';

/** Asks again and again for what no event tells of, as long as somebody looks at the page. */
export function useRepeated(ask: () => unknown, everyMs: number): void {
  const timer = setInterval(() => document.visibilityState === 'visible' && void ask(), everyMs);
  onUnmounted(() => clearInterval(timer));
}
