import { nextTick } from 'vue';

/** Focuses the first invalid field, after folded sections with errors have opened. */
export async function focusProblem(form: HTMLElement | null): Promise<void> {
  await nextTick();
  await nextTick();
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid=true], fieldset[data-problem]');
  const control = wrong?.matches('fieldset')
    ? wrong.querySelector<HTMLElement>('input, select, textarea, button')
    : wrong;
  control?.focus();
}
