import { nextTick } from 'vue';

/** Goes to the first thing in a form that is wrong, once folded parts that hold it have opened. */
export async function focusProblem(form: HTMLElement | null): Promise<void> {
  await nextTick();
  await nextTick();
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid=true], fieldset[data-problem]');
  const control = wrong?.matches('fieldset')
    ? wrong.querySelector<HTMLElement>('input, select, textarea, button')
    : wrong;
  control?.focus();
}
