import type { CategoryValue, ColourRule, MapStyle, SizeRule, StyleFilter } from '@platen/contract/map-styles';
import fc from 'fast-check';
import { declarativeStyle } from '../declarative-style.ts';
import { legendOf } from '../legend.ts';
import type { SymbolShape } from './rules.ts';
import { ruleWords } from './rules-of-style.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);
const attributes = ['use', 'height', 'Straße', 'a b', "it's", 'Größe "m"'];
const attribute = fc.constantFrom(...attributes);
const title = fc.option(fc.constantFrom('Homes', 'Größe < 5', 'A & B'), { nil: undefined });
const text = fc.constantFrom('home', 'Café & bar', '<none>', "o'clock", 'say "x"', 'ما', '', '007');
const value: fc.Arbitrary<CategoryValue> = fc.oneof(text, fc.integer(), fc.double(finite()), fc.boolean());
const number = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double({ min: -10, max: 10, noNaN: true }));
const plain = fc.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10);

function finite() {
  return { noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 };
}
/** Without a sign, as texts do not distinguish 0 from -0. */
const positiveZero = <T>(one: T) => (Object.is(one, -0) ? 0 : one) as T;
const ascending = (minLength: number, maxLength: number) =>
  fc
    .uniqueArray(number.map(positiveZero), { minLength, maxLength })
    .map((numbers) => numbers.toSorted((one, other) => one - other));
const rest = fc.option(withTitle({ colour }), { nil: undefined });

function withTitle<T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) {
  return fc.record({ ...fields, title }).map(defined) as fc.Arbitrary<
    { [Key in keyof T]: T[Key] extends fc.Arbitrary<infer V> ? V : never } & { title?: string }
  >;
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Without keys whose value is undefined. */
function defined<T extends object>(one: T): Defined<T> {
  return Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as Defined<T>;
}

const categories = fc
  .record({
    attribute,
    values: fc.uniqueArray(value.map(positiveZero), { minLength: 3, maxLength: 9 }),
    items: fc.array(withTitle({ colour }), { minLength: 3, maxLength: 3 }),
    others: rest,
  })
  .map(({ attribute, values, items, others }): ColourRule => {
    const size = Math.ceil(values.length / 3);
    const parts = items.map((item, i) => ({ values: values.slice(i * size, (i + 1) * size), ...item }));
    const used = parts.filter((part) => part.values.length > 0);
    return defined({ type: 'categories', attribute, categories: used, others });
  });

const classes = fc
  .record({
    attribute,
    breaks: ascending(3, 8),
    colours: fc.array(colour, { minLength: 7, maxLength: 7 }),
    noValue: rest,
  })
  .map(({ attribute, breaks, colours, noValue }): ColourRule =>
    defined({
      type: 'classes',
      attribute,
      method: 'own' as const,
      breaks,
      colours: colours.slice(0, breaks.length - 1),
      noValue,
    }),
  );

const continuous = fc
  .record({
    attribute,
    values: ascending(2, 5),
    colours: fc.array(colour, { minLength: 5, maxLength: 5 }),
    noValue: rest,
  })
  .map(({ attribute, values, colours, noValue }): ColourRule =>
    defined({
      type: 'continuous',
      attribute,
      stops: values.map((one, i) => ({ value: one, colour: colours[i]! })),
      noValue,
    }),
  );

const single = fc.record({ type: fc.constant('single' as const), colour });
const sizeRule: fc.Arbitrary<SizeRule> = fc.oneof(
  fc.record({ type: fc.constant('single' as const), size: plain }),
  fc
    .record({ attribute, breaks: ascending(3, 5), sizes: fc.array(plain, { minLength: 4, maxLength: 4 }) })
    .map(({ attribute, breaks, sizes }): SizeRule => ({
      type: 'classes',
      attribute,
      breaks,
      sizes: sizes.slice(0, breaks.length - 1),
    })),
  fc
    .record({ attribute, ends: ascending(2, 2), sizes: fc.tuple(plain, plain) })
    .map(({ attribute, ends: [from, to], sizes }): SizeRule => ({
      type: 'continuous',
      attribute,
      from: { value: from!, size: sizes[0] },
      to: { value: to!, size: sizes[1] },
    })),
);

/** On an attribute that colours do not follow. */
const filter: fc.Arbitrary<StyleFilter> = fc.oneof(
  fc.record({
    attribute: fc.constant('state'),
    operator: fc.constantFrom('=' as const, '!=' as const),
    values: fc.tuple(value.map(positiveZero)),
  }),
  fc.record({
    attribute: fc.constant('year'),
    operator: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
    values: fc.tuple(number.map(positiveZero)),
  }),
  fc.record({
    attribute: fc.constant('owner'),
    operator: fc.constantFrom('exists' as const, 'missing' as const),
  }),
  fc.record({
    attribute: fc.constant('kind'),
    operator: fc.constant('in' as const),
    values: fc.uniqueArray(value.map(positiveZero), { minLength: 2, maxLength: 4 }),
  }),
);

const label = fc
  .record({
    attribute,
    font: fc.constantFrom('serif' as const, 'mono' as const, undefined),
    size: fc.integer({ min: 6, max: 72 }),
    isBold: fc.constantFrom(true, undefined),
    colour,
    haloColour: colour,
  })
  .map(defined);

/** Styles that all formats can say, with nothing left to defaults. */
export const commonStyle = (
  rules: fc.Arbitrary<ColourRule> = fc.oneof(single, categories, classes, continuous),
) =>
  fc
    .record({
      shape: fc.constantFrom<SymbolShape>('point', 'line', 'area'),
      colour: rules,
      opacity: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      size: sizeRule,
      outline: fc.option(fc.record({ colour, width: plain }), { nil: null }),
      label: fc.option(label, { nil: undefined }),
      filter: fc.uniqueArray(filter, { maxLength: 3, selector: (one) => one.attribute }),
    })
    .map(({ shape, size, outline, filter: filters, ...style }): { style: MapStyle; shape: SymbolShape } => ({
      shape,
      style: defined({
        ...style,
        ...(shape !== 'area' && { size }),
        ...(shape !== 'line' && { outline }),
        ...(filters.length > 0 && { filter: filters }),
      }),
    }));

/** What people see of a style, but for the ends of classes of sizes, which only our legends name. */
export const seen = ({ style, shape }: { style: MapStyle; shape: SymbolShape }) => ({
  shape,
  drawn: declarativeStyle(style, shape),
  legend: legendOf({ ...style, size: { type: 'single', size: 9 } }, shape, ruleWords),
});
