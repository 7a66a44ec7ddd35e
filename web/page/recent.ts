import { ref } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

/** Something that was looked at, as it is found again. */
export interface Recent {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly to?: RouteLocationRaw;
}

const keptAs = 'platen.recent';
const maxRecent = 12;

/** What this person has looked at lately in this browser, the latest first. */
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
    return []; // of another version
  }
}
