import { onUnmounted } from 'vue';

/** Polls for what no event reports, while the page is visible. */
export function usePolling(poll: () => unknown, everyMs: number): void {
  const timer = setInterval(() => document.visibilityState === 'visible' && void poll(), everyMs);
  onUnmounted(() => clearInterval(timer));
}
