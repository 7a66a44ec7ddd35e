import type { MapStyle, StyledShape } from '@platen/contract/map-styles';
import { declarativeStyle } from './declarative-style.ts';
import { hatchedStyle, hatchesOf, hatchOf } from './hatch.ts';
import { legendOf, type LegendWords } from './legend.ts';
import { isObject, type Json } from './is-object.ts';

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
  const { properties, ...others } = before;
  const options = Object.entries(others).filter(([name]) => !drawingKeys.includes(name));
  const { legend: _, hatches: __, ...kept } = isObject(properties) ? properties : {};
  const legend = legendOf(style, shape, words);
  const origin: Origin = { style, shape };
  const { type, ...drawing } = drawingOf(style, shape);
  const hatches = type === 'VectorStyleItem' ? [] : hatchesOf(style, shape);
  return {
    type,
    ...(shape === 'object' && style.colour.type !== 'single' && { colorBlendMode: replaceColours }),
    ...Object.fromEntries(options),
    ...drawing,
    properties: {
      ...kept,
      [key]: origin,
      ...(hatches.length > 0 && { hatches }),
      ...(legend.length > 0 && { legend }),
    },
  };
}

/** 3D objects have colours of their own, with which those of the style would be multiplied: no legend would be right. */
const replaceColours = 1;

/** What says how features are drawn. */
const drawingKeys = ['type', 'declarativeStyle', 'fill', 'stroke'];

/** Expressions, unless the style has what only a VectorStyleItem has. */
function drawingOf(style: MapStyle, shape: StyledShape) {
  const hatch = hatchOf(style, shape);
  return hatch
    ? { type: 'VectorStyleItem', ...hatchedStyle(style, hatch) }
    : { type: 'DeclarativeStyleItem', declarativeStyle: declarativeStyle(style, shape) };
}

/** The style that an item is made from; undefined if what it draws was changed since, or if there is none. */
export function originOf(item: unknown): Origin | undefined {
  if (!isObject(item) || !isObject(item['properties'])) return undefined;
  const origin = item['properties'][key];
  const drawing = isObject(origin) ? remake(origin) : undefined;
  return drawing && isDrawnBy(item, drawing) ? (origin as unknown as Origin) : undefined;
}

/** What other clients have written into the properties may be anything: from that nothing can be made. */
function remake({ style, shape }: Json): Json | undefined {
  try {
    return drawingOf(style as MapStyle, shape as StyledShape);
  } catch {
    return undefined;
  }
}

const isDrawnBy = (item: Json, drawing: Json) =>
  ('declarativeStyle' in drawing ? ['declarativeStyle'] : drawingKeys).every(
    (name) => JSON.stringify(item[name]) === JSON.stringify(drawing[name]),
  );
