import { legendOf, sampleRow, type LegendRow, type StyleLegend } from './legend.ts';
import { originOf } from './style-item.ts';
import { isObject, type Json } from './is-object.ts';

/**
 * The legend of a layer whose style brings none: a sample of what it draws, called like the layer.
 * @param style a style item of VC Map
 * @returns empty if the style has a legend, or if what it draws depends on attributes
 */
export function layerLegend(style: unknown, title: string): StyleLegend[] {
  if (!isObject(style) || (isObject(style['properties']) && style['properties']['legend'] !== undefined))
    return [];
  const row = style['type'] === 'VectorStyleItem' ? vectorRow(style, title) : declarativeRow(style, title);
  return row === undefined ? [] : [{ type: 'StyleLegendItem', colNr: 1, rows: [row] }];
}

/** Options of a VectorStyleItem are those of a row. */
function vectorRow({ fill, stroke, image }: Json, title: string): LegendRow | undefined {
  if (isObject(image) && isObject(image['fill'])) return { type: 'CircleLegendRow', title, image };
  if (isObject(image) && typeof image['src'] === 'string') return { type: 'IconLegendRow', title, image };
  if (isObject(fill)) return { type: 'FillLegendRow', title, fill, ...(isObject(stroke) && { stroke }) };
  return isObject(stroke) ? { type: 'StrokeLegendRow', title, stroke } : undefined;
}

function declarativeRow(item: Json, title: string): LegendRow | undefined {
  const origin = originOf(item);
  if (origin !== undefined) {
    const { style, shape } = origin;
    const { colour } = style;
    // of other rules, the legend was taken away on purpose
    if (colour.type !== 'single' || legendOf(style, shape, noWords).length > 0) return undefined;
    return sampleRow(style, shape, { title, colour: colour.colour });
  }
  return isObject(item['declarativeStyle']) ? expressionRow(item['declarativeStyle'], title) : undefined;
}

const noWords = { locale: 'en', others: '', noValue: '' };

/** Of expressions that are the same for all features. */
function expressionRow(style: Json, title: string): LegendRow | undefined {
  const colour = constantColour(style['color']);
  if (colour === undefined) return undefined;
  const line = constantColour(style['strokeColor']);
  const width = Number(style['strokeWidth'] ?? 1);
  const stroke = line !== undefined && width > 0 ? { color: line, width: Math.min(width, 4) } : undefined;
  const radius = Number(style['pointSize'] ?? NaN) / 2;
  if (radius > 0)
    return {
      type: 'CircleLegendRow',
      title,
      image: {
        radius: Math.min(radius, 12),
        fill: { color: colour },
        stroke: stroke ?? { color: colour, width: 0 },
      },
    };
  return { type: 'FillLegendRow', title, fill: { color: colour }, ...(stroke && { stroke }) };
}

/** Of `color('#0e6b78')` or `color('red', 0.5)`. */
function constantColour(expression: unknown): string | undefined {
  if (typeof expression !== 'string') return undefined;
  return /^\s*color\(\s*['"](#[\da-fA-F]{3,8}|[a-zA-Z]+)['"]\s*(?:,\s*[\d.]+\s*)?\)\s*$/.exec(
    expression,
  )?.[1];
}
