import type { CategoryValue, MapStyle } from '@platen/contract/map-styles';
import type { AttributeSummary } from '../style-attribute.ts';

/**
 * A style with its values in the types that attributes have in the data: many files do not distinguish 5 from “5”, and
 * a map does.
 */
export function fitValues(style: MapStyle, attributes: readonly AttributeSummary[]): MapStyle {
  const types = new Map(attributes.map(({ name, type }) => [name, type]));
  const { colour, filter } = style;
  const fit = (attribute: string, values: readonly CategoryValue[]) =>
    values.map((value) => fitValue(value, types.get(attribute)));
  return {
    ...style,
    ...(colour.type === 'categories' && {
      colour: {
        ...colour,
        categories: colour.categories.map((one) =>
          Object.assign({}, one, { values: fit(colour.attribute, one.values) }),
        ),
      },
    }),
    ...(filter && {
      filter: filter.map((one) =>
        one.values ? Object.assign({}, one, { values: fit(one.attribute, one.values) }) : one,
      ),
    }),
  };
}

function fitValue(value: CategoryValue, type: AttributeSummary['type'] | undefined): CategoryValue {
  if (type === 'string') return String(value);
  if (type !== 'number' || typeof value !== 'string' || value.trim() === '') return value;
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** The attributes that a style refers to, each once. */
export function attributesOf({ colour, size, label, filter = [] }: MapStyle): string[] {
  return [
    ...new Set([
      ...(colour.type === 'single' ? [] : [colour.attribute]),
      ...(size && size.type !== 'single' ? [size.attribute] : []),
      ...(label ? [label.attribute] : []),
      ...(label?.rank ? [label.rank.attribute] : []),
      ...filter.map(({ attribute }) => attribute),
    ]),
  ];
}
