import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import { declarativeStyle } from './declarative-style.ts';
import { legendOf, type LegendWords } from './legend.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a style item keeps of the style that it was made from. */
interface Origin {
  readonly style: MapStyle;
  readonly shape: StyledShape;
}

const key = 'mapStyle';

/**
 * A style item of VC Map. Its properties keep the style that it is made from, and its legend.
 * @param before a style item whose other options stay, such as its name
 */
export function styleItem(style: MapStyle, shape: StyledShape, words: LegendWords, before: Json = {}): Json {
  const { type: _, declarativeStyle: __, properties, ...others } = before;
  const { legend: ___, ...kept } = isObject(properties) ? properties : {};
  const legend = legendOf(style, shape, words);
  const origin: Origin = { style, shape };
  return {
    type: 'DeclarativeStyleItem',
    ...others,
    declarativeStyle: declarativeStyle(style, shape),
    properties: { ...kept, [key]: origin, ...(legend.length > 0 && { legend }) },
  };
}

/** The style that an item is made from; undefined if its expressions were changed since, or if there is none. */
export function originOf(item: unknown): Origin | undefined {
  if (!isObject(item) || !isObject(item['properties'])) return undefined;
  const origin = item['properties'][key];
  return isObject(origin) && isSame(remake(origin), item['declarativeStyle'])
    ? (origin as unknown as Origin)
    : undefined;
}

/** What other clients have written into the properties may be anything: from that nothing can be made. */
function remake({ style, shape }: Json): unknown {
  try {
    return declarativeStyle(style as MapStyle, shape as StyledShape);
  } catch {
    return undefined;
  }
}

const isSame = (one: unknown, other: unknown) =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
