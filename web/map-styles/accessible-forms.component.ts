import type { CardDesign } from '@platen/contract/cards';
import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import {
  categoryColours,
  classColours,
  continuousColours,
  type AttributeSummary,
} from '@platen/styles/style-attribute';
import { classSizes, sizeBy } from '@platen/styles/size-rules';
import { test } from 'vitest';
import { h, type VNode } from 'vue';
import BaseMapDialog from '../base-maps/BaseMapDialog.vue';
import { requireAccessible } from '../page/testing-accessible.ts';
import CardForm from './CardForm.vue';
import MapStyleForm from './MapStyleForm.vue';
import '../main.css';

const use: AttributeSummary = { name: 'use', type: 'string', count: 3, values: ['home', 'work', 'school'] };
const height: AttributeSummary = {
  name: 'height',
  type: 'number',
  count: 100,
  min: 2,
  max: 90,
  values: [2],
  quantiles: [2, 4, 6, 9, 30, 90],
};
const attributes = [use, height];
const single = { type: 'single', colour: '#0e6b78' } as const;
const label = { attribute: 'use', isBold: true, maxDistance: 5000 };
const filter: MapStyle['filter'] = [
  { attribute: 'height', operator: '>=', values: [12] },
  { attribute: 'use', operator: 'in', values: ['home', 'work'] },
];

const styles: Readonly<Record<string, readonly [StyledShape, MapStyle]>> = {
  'points in one colour, by size and zoom': [
    'point',
    {
      colour: single,
      size: sizeBy(height, { from: 4, to: 20 }),
      zoomSize: { far: 8, near: 12, share: 0.5 },
      label,
      filter,
    },
  ],
  'lines in continuous colours, by classes of width': [
    'line',
    {
      colour: continuousColours(height, { palette: 'RdBu' }),
      size: classSizes(height, { from: 1, to: 8 }),
      filter,
    },
  ],
  'areas by category, with hatches': [
    'area',
    { colour: categoryColours(use), hatch: { type: 'slash' }, outline: { colour: '#333333', width: 2 } },
  ],
  'points of a cloud, with hidden classes': [
    'cloud',
    {
      colour: categoryColours(use),
      size: { type: 'single', size: 3 },
      filter: [{ attribute: 'use', operator: 'notIn', values: ['home'] }],
    },
  ],
  'areas by class': ['area', { colour: classColours(height), label }],
};
const card: CardDesign = {
  title: 'use',
  place: 'balloon',
  rows: [
    { type: 'text', attribute: 'height', unit: 'm', digits: 1 },
    { type: 'date', attribute: 'use', precision: 'year' },
    { type: 'link', attribute: 'use', prefix: 'https://example.org/' },
    { type: 'picture', attribute: 'use' },
  ],
};

const forms: Readonly<Record<string, () => VNode>> = {
  ...Object.fromEntries(
    Object.entries(styles).map(([name, [shape, style]]) => [
      `the form of ${name}`,
      () => h(MapStyleForm, { modelValue: style, attributes, shape }),
    ]),
  ),
  'the form of a card': () => h(CardForm, { modelValue: card, attributes, layerTitle: 'Houses' }),
  'the form of a base map': () => h(BaseMapDialog, { baseMap: undefined, others: [] }),
};

for (const [name, form] of Object.entries(forms))
  test(`${name} meets the rules of axe, and each of its controls is reached by the keyboard`, () =>
    requireAccessible(form, {
      areas: ['first', 'map-styles', 'base-maps', 'ui', 'pickers', 'modules', 'settings'],
    }));
