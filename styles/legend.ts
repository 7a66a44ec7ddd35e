import type {
  ColourRule,
  Hatch,
  MapStyle,
  SizeRule,
  StyledShape,
  StyleIcon,
} from '@platen/contract/map-styles';
import { formatColour, parseColour, rampColour, type Colour } from '@platen/geo/canvas/colour';
import { categoryName, coversAll } from './categories.ts';
import { boundsOf, colourAt, sizeAt, type ClassBounds } from './class-bounds.ts';
import { fullHatch, hatchFill } from './hatch.ts';
import { withHeading } from './legend-heading.ts';
import { outlineOf } from './outline-colour.ts';
import { hasMarkers, markerImage, markerOf } from './marker.ts';
import { defaultOpacity, defaultOutlineWidth, styleDefaults } from './style-defaults.ts';
import type { AttributeSummary } from './style-attribute.ts';
import { hidesValues } from './style-filter.ts';

/** A legend as VC Map reads it from `properties.legend` of a style or layer. */
export interface StyleLegend {
  readonly type: 'StyleLegendItem';
  readonly colNr: 1;
  readonly rows: readonly LegendRow[];
}

export type LegendRow = Readonly<Record<string, unknown>> & { readonly type: string; readonly title: string };

export interface LegendWords {
  /** Such as `en`; formats numbers. */
  readonly locale: string;
  readonly others: string;
  readonly noValue: string;
  /** What is known of the attributes of the data: what they are called, and whether they have other values. */
  readonly attributes?: readonly AttributeSummary[];
}

const maxRows = 40;

/**
 * Derives the legend of a style.
 * @returns empty if a single colour and size have no name: the layer is called like them, see layer-legend.ts
 */
export function legendOf(style: MapStyle, shape: StyledShape, words: LegendWords): StyleLegend[] {
  const { colour, size } = style;
  const headed = (rows: LegendRow[], rule: ColourRule | SizeRule | undefined) =>
    rule && 'attribute' in rule ? withHeading(rows, rule, words.attributes) : rows;
  const samples = shownEntries(style, words).map((entry) => sampleRow(style, shape, entry));
  const rows = [...headed(samples, colour), ...headed(sizeRows(style, shape, words), size)].slice(0, maxRows);
  return rows.length === 0 ? [] : [{ type: 'StyleLegendItem', colNr: 1, rows }];
}

/** Without those that the filter hides. */
function shownEntries({ colour, filter = [] }: MapStyle, words: LegendWords): ColourEntry[] {
  if (colour.type !== 'categories') return colourEntries(colour, words);
  const { attribute, categories, others } = colour;
  const shown = categories.filter(({ values }) => !hidesValues(filter, { attribute, values }));
  const summary = words.attributes?.find(({ name }) => name === attribute);
  const isIsolated = filter.some((one) => one.attribute === attribute && one.operator === 'in');
  const hasOthers = !isIsolated && !(summary && coversAll(colour, summary));
  return colourEntries(
    { type: 'categories', attribute, categories: shown, ...(others && hasOthers && { others }) },
    words,
  );
}

interface ColourEntry {
  readonly title: string;
  readonly colour: string;
  readonly icon?: StyleIcon | undefined;
  readonly hatch?: Hatch | undefined;
}

/** What each colour of a rule means. */
export function colourEntries(rule: ColourRule, words: LegendWords): ColourEntry[] {
  if (rule.type === 'single') return rule.title ? [{ title: rule.title, colour: rule.colour }] : [];
  if (rule.type === 'categories')
    return [
      ...rule.categories.map(({ colour, icon, hatch, ...named }) => ({
        colour,
        icon,
        hatch,
        title: categoryName(named),
      })),
      ...(rule.others ? [{ title: rule.others.title || words.others, colour: rule.others.colour }] : []),
    ];
  const none = rule.noValue
    ? [{ title: rule.noValue.title || words.noValue, colour: rule.noValue.colour }]
    : [];
  if (rule.type === 'continuous') {
    const format = formatFor(
      rule.stops.map(({ value }) => value),
      words.locale,
    );
    return [...rule.stops.map(({ value, colour }) => ({ title: format(value), colour })), ...none];
  }
  const format = formatFor(rule.breaks, words.locale);
  const classes = boundsOf(rule.breaks).map((bounds, i) => ({
    title: rule.titles?.[i] || classTitle(bounds, rule.breaks, format),
    colour: colourAt(rule.colours, i),
  }));
  return [...classes, ...none];
}

/** The outer classes are open, but their titles name the ends of the data. */
function classTitle(
  { from, to }: ClassBounds,
  breaks: readonly number[],
  format: (value: number) => string,
): string {
  return `${format(from ?? breaks[0]!)} – ${format(to ?? breaks.at(-1)!)}`;
}

/** As many digits as the values differ in. Whole numbers below 10,000, such as years, have no separators. */
function formatFor(values: readonly number[], locale: string): (value: number) => string {
  const largest = Math.max(...values.map(Math.abs));
  const span = Math.max(...values) - Math.min(...values);
  const digits = span > 0 ? Math.max(0, Math.min(10, 2 - Math.floor(Math.log10(span)))) : 2;
  const numbers = new Intl.NumberFormat(locale, {
    maximumFractionDigits: digits,
    useGrouping: largest >= 10_000,
  });
  return (value) => numbers.format(value);
}

function sizeRows(style: MapStyle, shape: StyledShape, words: LegendWords): LegendRow[] {
  const { size, colour } = style;
  if (!size || size.type === 'single' || shape === 'area' || shape === 'object' || shape === 'cloud')
    return [];
  const plain = colour.type === 'single' ? colour.colour : '#7b8a8f';
  return sizeEntries(size, words).map(({ title, pixels }) =>
    sampleRow({ ...style, size: { type: 'single', size: pixels } }, shape, { title, colour: plain }),
  );
}

function sizeEntries(rule: Exclude<SizeRule, { type: 'single' }>, { locale }: LegendWords) {
  if (rule.type === 'continuous') {
    const { from, to } = rule;
    const format = formatFor([from.value, to.value], locale);
    return [0, 0.5, 1].map((share) => ({
      title: format(from.value + (to.value - from.value) * share),
      pixels: from.size + (to.size - from.size) * share,
    }));
  }
  const format = formatFor(rule.breaks, locale);
  return boundsOf(rule.breaks).map((bounds, i) => ({
    title: rule.titles?.[i] || classTitle(bounds, rule.breaks, format),
    pixels: sizeAt(rule.sizes, i),
  }));
}

/** Of the light base map. */
const land: Colour = [244, 240, 229];

/** What a colour that lets the map show through looks like. */
function onLand(hex: string, opacity: number): string {
  if (opacity >= 1) return hex;
  const [red, green, blue] = rampColour([land, parseColour(hex)], opacity);
  return formatColour([Math.round(red), Math.round(green), Math.round(blue)]);
}

/** A sample of what is drawn, as it looks on land. */
export function sampleRow(
  style: MapStyle,
  shape: StyledShape,
  { title, colour: opaque, icon, hatch = style.hatch }: ColourEntry,
): LegendRow {
  const { outline, opacity = defaultOpacity(shape) } = style;
  const colour = onLand(opaque, opacity);
  const pixels = style.size?.type === 'single' ? style.size.size : undefined;
  if (shape === 'line')
    return { type: 'StrokeLegendRow', title, stroke: { color: colour, width: Math.min(pixels ?? 3, 12) } };
  const stroke =
    outline === null
      ? undefined
      : {
          color: outline?.colour ?? outlineOf(opaque),
          width: outline?.width ?? defaultOutlineWidth(shape),
        };
  if ((shape === 'point' || shape === 'mixed') && hasMarkers(style)) {
    const src = markerImage(markerOf(style, opaque, icon), Math.min(pixels ?? styleDefaults.markerSize, 32));
    return { type: 'IconLegendRow', title, image: { src } };
  }
  if (shape === 'point' || shape === 'mixed')
    return {
      type: 'CircleLegendRow',
      title,
      image: {
        radius: Math.min((pixels ?? 12) / 2, 16),
        fill: { color: colour },
        // printing needs one
        stroke: stroke ?? { color: colour, width: 0 },
      },
    };
  const border =
    shape === 'area' && outline !== null
      ? { color: outline?.colour ?? outlineOf(opaque), width: 1 }
      : undefined;
  const fill = hatch && shape === 'area' ? hatchFill(fullHatch(hatch, opaque), colour) : { color: colour };
  return { type: 'FillLegendRow', title, fill, ...(border && { stroke: border }) };
}
