import type { ColourRule, MapStyle } from '@platen/contract/map-styles';
import { isObject, type Json } from '../is-object.ts';
import { originOf } from '../style-item.ts';
import { defaultColours } from '../style-attribute.ts';

/** Of points whose own colours are shown: what viewers without them draw. */
export const ownColours = { type: 'single', colour: '#888888', isOwn: true } as const;

/**
 * A style of points as it can be edited: that it was made from, or else what its expressions say, if they are as simple as
 * those that jobs write. Undefined for others.
 */
export function readPointStyle(item: unknown): MapStyle | undefined {
  const origin = originOf(item);
  if (origin) return origin.style;
  if (!isObject(item) || !isObject(item['declarativeStyle'])) return undefined;
  const { color, show, ...others } = item['declarativeStyle'];
  const colour = readColour(color, titlesOf(item));
  const filter = show === undefined ? [] : readHidden(show);
  if (colour === undefined || filter === undefined || Object.keys(others).length > 0) return undefined;
  return { colour, ...(filter.length > 0 && { filter }) };
}

function readColour(color: unknown, titles: Titles): ColourRule | undefined {
  if (color === '${COLOR}') return ownColours;
  if (typeof color === 'string') return readGreys(color);
  const pairs = isObject(color) ? color['conditions'] : undefined;
  if (!Array.isArray(pairs)) return undefined;
  const rows = (pairs as unknown[]).map(readRow);
  const tests = rows.slice(0, -1);
  if (rows.length < 2 || rows.some((row) => row === undefined) || rows.at(-1)!.test !== undefined)
    return undefined;
  return rulesOf(tests as Tested[], rows.at(-1)!.colour, titles);
}

interface Test {
  readonly attribute: string;
  readonly operator: string;
  readonly number: number;
}

interface Row {
  /** Undefined for all points. */
  readonly test: Test | undefined;
  readonly colour: string;
}
type Tested = Row & { readonly test: Test };

function readRow(pair: unknown): Row | undefined {
  const [condition, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
  const [, colour] = /^color\('(#[\da-f]{6})'\)$/i.exec(String(value)) ?? [];
  if (colour === undefined) return undefined;
  if (condition === 'true') return { test: undefined, colour };
  const test = readTest(String(condition));
  return test && { test, colour };
}

function readTest(condition: string): Test | undefined {
  const [, attribute, operator, number] =
    /^\$\{(\w+)\} (===|!==|<) (-?[\d.]+(?:e[+-]?\d+)?)$/.exec(condition) ?? [];
  return attribute === undefined ? undefined : { attribute, operator: operator!, number: Number(number) };
}

/** Lower than all numbers but the one of points without any. */
const veryLow = -1e20;

function rulesOf(tests: readonly Tested[], rest: string, titles: Titles): ColourRule | undefined {
  const { attribute } = tests[0]!.test;
  const isOf = (operator: string) => (one: Tested) =>
    one.test.attribute === attribute && one.test.operator === operator;
  if (tests.every(isOf('===')))
    return {
      type: 'categories',
      attribute,
      categories: tests.map(({ test, colour }) => ({
        values: [test.number],
        colour,
        ...titled(titles.get(colour)?.shift()),
      })),
      others: { colour: rest },
    };
  if (!tests.every(isOf('<'))) return undefined;
  const below = tests.filter(({ test }) => test.number > veryLow);
  const inner = below.map(({ test }) => test.number);
  if (inner.length === 0) return undefined;
  const step = inner.length > 1 ? inner[1]! - inner[0]! : 1;
  const colours = [...below.map(({ colour }) => colour), rest];
  const none = tests.find(({ test }) => test.number <= veryLow);
  return {
    type: 'classes',
    attribute,
    method: 'own',
    breaks: [inner[0]! - step, ...inner, inner.at(-1)! + step],
    colours,
    titles: colours.map((colour) => titles.get(colour)?.shift() ?? ''),
    noValue: { colour: none?.colour ?? defaultColours.noValue },
  };
}

/** Points of these values are hidden. */
function readHidden(show: unknown): NonNullable<MapStyle['filter']> | undefined {
  const tests = String(show).split(' && ').map(readTest);
  const [first] = tests;
  if (!first || tests.some((test) => test?.operator !== '!==' || test.attribute !== first.attribute))
    return undefined;
  return [{ attribute: first.attribute, operator: 'notIn', values: tests.map((test) => test!.number) }];
}

const number = String.raw`(\d+(?:\.\d+)?)`;
const greys = new RegExp(
  String.raw`^rgb\(clamp\(\(\$\{(\w+)\} - ${number}\) / ${number}, ${number}, 1\.0\) \* 255\.0, `,
);

/** From dark to light. */
function readGreys(color: string): ColourRule | undefined {
  const [, attribute, low, range, darkest] = greys.exec(color) ?? [];
  if (attribute === undefined) return undefined;
  const dark = Math.round(Number(darkest) * 255)
    .toString(16)
    .padStart(2, '0');
  return {
    type: 'continuous',
    attribute,
    stops: [
      { value: Number(low) + Number(darkest) * Number(range), colour: `#${dark}${dark}${dark}` },
      { value: Number(low) + Number(range), colour: '#ffffff' },
    ],
    noValue: { colour: defaultColours.noValue },
  };
}

const titled = (title: string | undefined) => (title === undefined ? {} : { title });

/** What the legend calls each colour, in its order: classes that are seldom used share one. */
type Titles = ReadonlyMap<string, string[]>;

function titlesOf({ properties }: Json): Titles {
  const legend = isObject(properties) && Array.isArray(properties['legend']) ? properties['legend'] : [];
  const rows = (legend as unknown[]).flatMap((part) =>
    isObject(part) && Array.isArray(part['rows']) ? (part['rows'] as unknown[]) : [],
  );
  const titles = new Map<string, string[]>();
  for (const row of rows) {
    if (!isObject(row) || !isObject(row['fill'])) continue;
    const { title } = row;
    const colour = String(row['fill']['color']);
    if (typeof title === 'string') titles.set(colour, [...(titles.get(colour) ?? []), title]);
  }
  return titles;
}
