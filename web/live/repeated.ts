import { onUnmounted } from 'vue';

/** Polls for what no event reports, while the page is visible. */
export function useRepeated(ask: () => unknown, everyMs: number): void {
  const timer = setInterval(() => document.visibilityState === 'visible' && void ask(), everyMs);
  onUnmounted(() => clearInterval(timer));
}
