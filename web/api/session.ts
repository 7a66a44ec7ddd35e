import type { User } from '@platen/contract/users';
import { computed, ref, shallowRef } from 'vue';

/** Who is signed in; undefined when nobody is. */
export const user = shallowRef<User>();
export const isAdmin = computed(() => user.value?.isAdmin === true || user.value?.isSuperUser === true);
export const isSuperUser = computed(() => user.value?.isSuperUser === true);

/** Whether the session has ended below somebody's hands: the shell asks for the password then. */
export const hasEnded = ref(false);

let waiting: PromiseWithResolvers<boolean> | undefined;

/** Resolves when the person has signed in again (true), or rather leaves (false); at once when nobody was signed in. */
export async function renewed(): Promise<boolean> {
  if (!user.value) return false;
  hasEnded.value = true;
  waiting ??= Promise.withResolvers<boolean>();
  return waiting.promise;
}

/** What became of a session that had ended. */
export function settleRenewal(isSignedIn: boolean): void {
  hasEnded.value = false;
  if (!isSignedIn) user.value = undefined;
  waiting?.resolve(isSignedIn);
  waiting = undefined;
}

/** Whether a session's cookie came along with the page: asking without one would only log a 401. */
export const mayHaveSession = document.documentElement.dataset['session'] === 'yes';
