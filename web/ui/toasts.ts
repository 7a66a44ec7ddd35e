import { ref } from 'vue';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'done' | 'failed';
  readonly detail?: string;
  readonly action?: { readonly label: string; run(): unknown };
}

const visibleMs = 8000;
let last = 0;

export const toasts = ref<Toast[]>([]);

/** Shows a message for eight seconds; with an action, that is how long Undo is offered. */
export function toast(text: string, more: Partial<Pick<Toast, 'tone' | 'detail' | 'action'>> = {}): number {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone: 'done', ...more }];
  setTimeout(() => dismiss(id), visibleMs);
  return id;
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}
