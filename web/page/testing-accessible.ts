import axe from 'axe-core';
import { TooltipProvider } from 'reka-ui';
import { expect } from 'vitest';
import { render } from 'vitest-browser-vue';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h, type Plugin, type VNode } from 'vue';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';

interface Needs {
  /** Areas of words. */
  readonly areas: readonly string[];
  readonly plugins?: readonly Plugin[];
  /** Of controls that are awaited. */
  readonly controls?: number;
  /** The text of an element that is awaited. */
  readonly awaited?: string | undefined;
}

/** Requires of a form that it meets the rules of axe, and that each of its controls is reached by the keyboard. */
export async function requireAccessible(
  form: () => VNode,
  { areas, plugins = [], controls = 4, awaited }: Needs,
): Promise<void> {
  await words(areas);
  // where tooltips appear
  if (!document.querySelector('#main'))
    document.body.append(Object.assign(document.createElement('main'), { id: 'main' }));
  const Host = defineComponent(() => () => h(TooltipProvider, form));
  await render(Host, { global: { plugins: [i18n, ...plugins] } });
  await expect.poll(() => controlsIn(document.body).length).toBeGreaterThanOrEqual(controls);
  if (awaited !== undefined) await expect.element(page.getByText(awaited).first()).toBeVisible();
  // a dialog fades in
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ¦ ')}`)).toEqual(
    [],
  );
  const missed = new Set(controlsIn(document.body));
  for (let presses = missed.size * 2; presses > 0 && missed.size > 0; presses--) {
    await userEvent.tab();
    missed.delete(document.activeElement!);
  }
  expect([...missed].map(({ outerHTML }) => outerHTML.slice(0, 200))).toEqual([]);
}

/** What can be used, except for further buttons of a group, which arrows reach. */
const controlsIn = (within: HTMLElement): Element[] =>
  [...within.querySelectorAll('input, select, textarea, button, a[href]')].filter(
    (control) =>
      !control.matches(':disabled, [tabindex="-1"], [type=radio]:not(:checked)') && control.checkVisibility(),
  );
