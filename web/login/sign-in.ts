import { RequestFailed } from '@platen/client/client';
import { ref } from 'vue';
import { api } from '../api/api.ts';
import { describeFailure } from '../api/failure.ts';
import { user } from '../api/session.ts';
import { i18n } from '../i18n/i18n.ts';

/** The sign-in form, on its page and in the dialog after a session has expired. */
export function useSignIn(onSignedIn: () => unknown) {
  const username = ref('');
  const password = ref('');
  const problem = ref<string>();
  const isBusy = ref(false);

  async function submit(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      await api.postSession({ body: { username: username.value, password: password.value } });
      user.value = await api.getUserWhoami();
      password.value = '';
      await onSignedIn();
    } catch (failure) {
      problem.value = describe(failure);
    } finally {
      isBusy.value = false;
    }
  }
  return { username, password, problem, isBusy, submit };
}

function describe(failure: unknown): string {
  const isWrong = failure instanceof RequestFailed && failure.status === 401;
  return isWrong ? i18n.global.t('login.wrong') : describeFailure(failure);
}
