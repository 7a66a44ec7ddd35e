import type { User } from '@platen/contract/users';
import { computed, ref, shallowRef } from 'vue';

/** The signed-in user; undefined when no user is signed in. */
export const user = shallowRef<User>();
export const isAdmin = computed(() => user.value?.isAdmin === true || user.value?.isSuperUser === true);
export const isSuperUser = computed(() => user.value?.isSuperUser === true);

/** Whether the session expired while the page was open; the shell then asks for the password. */
export const hasEnded = ref(false);

let waiting: PromiseWithResolvers<boolean> | undefined;

/**
 * Resolves to true once the user has signed in again, to false when they leave instead; at once if nobody was signed
 * in.
 */
export async function renewed(): Promise<boolean> {
  if (!user.value) return false;
  hasEnded.value = true;
  waiting ??= Promise.withResolvers<boolean>();
  return waiting.promise;
}

/** Reports whether the user has signed in again after the session ended. */
export function settleRenewal(isSignedIn: boolean): void {
  hasEnded.value = false;
  if (!isSignedIn) user.value = undefined;
  waiting?.resolve(isSignedIn);
  waiting = undefined;
}

/** Whether the page came with a session cookie; asking without one would only log a 401. */
export const mayHaveSession = document.documentElement.dataset['session'] === 'yes';
