import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import type { AttributeSummary } from '@platen/styles/style-attribute';
import { TooltipProvider } from 'reka-ui';
import { render } from 'vitest-browser-vue';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h, ref } from 'vue';
import { i18n } from '../i18n/i18n.ts';
import { words } from '../i18n/words.ts';
import MapStyleForm from './MapStyleForm.vue';

export const attributes: readonly AttributeSummary[] = [
  { name: 'use', type: 'string', count: 3, values: ['home', 'work', 'school'] },
  {
    name: 'species',
    type: 'string',
    count: 11,
    values: Array.from({ length: 11 }, (_, i) => `Species ${i}`),
  },
  {
    name: 'height',
    type: 'number',
    count: 100,
    min: 2,
    max: 90,
    values: [2],
    quantiles: [2, 4, 6, 9, 30, 90],
  },
];

/** Shows the form of a style. @returns the style as the form changes it */
export async function show(
  initial: MapStyle = { colour: { type: 'single', colour: '#0e6b78' } },
  shape: StyledShape = 'point',
  more: { isTiled?: boolean; attributes?: readonly AttributeSummary[] } = {},
) {
  await words(['first', 'map-styles']);
  const style = ref(initial);
  const Host = defineComponent(
    () => () =>
      h(TooltipProvider, () =>
        h(MapStyleForm, {
          modelValue: style.value,
          'onUpdate:modelValue': (next: MapStyle) => (style.value = next),
          attributes,
          shape,
          ...more,
        }),
      ),
  );
  await render(Host, { global: { plugins: [i18n] } });
  return style;
}

/** Fields take their text when they lose the focus. */
export async function enter(label: string, text: string): Promise<void> {
  await page.getByLabelText(label).fill(text);
  await userEvent.tab();
}
