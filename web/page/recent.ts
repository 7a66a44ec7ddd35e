import { ref } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

/** A recently visited resource. */
export interface Recent {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly to?: RouteLocationRaw;
}

const keptAs = 'platen.recent';
const maxRecent = 12;

/** Recently visited resources in this browser, newest first. */
export const recent = ref<readonly Recent[]>(read());

export function remember(one: Recent): void {
  recent.value = [one, ...recent.value.filter(({ id }) => id !== one.id)].slice(0, maxRecent);
  localStorage.setItem(keptAs, JSON.stringify(recent.value));
}

function read(): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keptAs) ?? '[]');
    return Array.isArray(kept) ? (kept as Recent[]) : [];
  } catch {
    return []; // written by another version
  }
}
