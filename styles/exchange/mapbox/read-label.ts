import type { LabelRank, LabelRule } from '@platen/contract/map-styles';
import type { Json } from '../../is-object.ts';
import { styleDefaults } from '../../style-defaults.ts';
import type { NoteList } from '../notes.ts';
import { hexOf } from './hex-of.ts';
import { anchors } from './label-layout.ts';
import { readExpression } from './read-expression.ts';
import { attributeOf, isExpression } from './read-filter.ts';

/** A layer of symbols. */
export interface SymbolLayer {
  readonly id: string;
  readonly paint: Json;
  readonly layout: Json;
  /** With what is neither paint nor layout. */
  readonly json: Json;
}

const knownOptions = new Set([
  'visibility',
  'text-color',
  'text-halo-color',
  'text-halo-width',
  'text-field',
  'text-size',
  'text-font',
  'text-anchor',
  'symbol-sort-key',
]);

/** The label of a layer; undefined if it is not the value of one attribute. */
export function readLabel({ id, paint, layout, json }: SymbolLayer, notes: NoteList): LabelRule | undefined {
  const field = layout['text-field'];
  const named = typeof field === 'string' ? /^\{([^{}]+)\}$/.exec(field)?.[1] : attributeOf(field);
  for (const name of [...Object.keys(paint), ...Object.keys(layout)])
    if (!knownOptions.has(name)) notes.add('leftOut', { what: name });
  if (named === undefined) {
    notes.add('leftOut', { what: `text-field ${id}` });
    return undefined;
  }
  const textAt = (options: Json, name: string) => {
    if (options[name] === undefined) return undefined;
    const value = readExpression(options[name], name, notes);
    if (value?.type === 'text') return value.text;
    notes.add('leftOut', { what: name });
    return undefined;
  };
  const haloWidth = Number(textAt(paint, 'text-halo-width') ?? 0);
  if (haloWidth !== styleDefaults.haloWidth) notes.add('halo', { pixels: haloWidth });
  const size = Number(textAt(layout, 'text-size') ?? 16);
  const colour = hexOf(textAt(paint, 'text-color') ?? '#000000');
  const halo = textAt(paint, 'text-halo-color');
  const haloColour = halo === undefined ? undefined : hexOf(halo);
  const fonts = JSON.stringify(layout['text-font'] ?? '');
  const zoom = json['minzoom'];
  return {
    attribute: named,
    ...fontOfStack(fonts),
    ...(Number.isFinite(size) && { size: Math.min(72, Math.max(6, size)) }),
    ...(/bold/i.test(fonts) && { isBold: true }),
    ...(colour !== undefined && { colour }),
    ...(haloColour !== undefined && { haloColour }),
    ...placementOf(textAt(layout, 'text-anchor'), notes),
    ...rankBy(layout['symbol-sort-key'], notes),
    // zooms of Mapbox count tiles of 512 pixels
    ...(typeof zoom === 'number' && { minZoom: Math.min(24, Math.max(0, zoom + 1)) }),
  };
}

/** By the first font of the stack, as the others are for missing letters. */
function fontOfStack(fonts: string): Pick<LabelRule, 'font'> {
  const first = fonts.split('","', 1)[0]!;
  if (/\bmono/i.test(first)) return { font: 'mono' };
  return /\bserif\b/i.test(first) && !/\bsans\b/i.test(first) ? { font: 'serif' } : {};
}

function placementOf(anchor: string | undefined, notes: NoteList): Pick<LabelRule, 'placement'> {
  if (anchor === undefined) return {};
  const placement = (Object.keys(anchors) as (keyof typeof anchors)[]).find((one) => anchors[one] === anchor);
  if (!placement) notes.add('leftOut', { what: `text-anchor ${anchor}` });
  return placement ? { placement } : {};
}

/** Features of the lowest keys come first. */
function rankBy(key: unknown, notes: NoteList): Pick<LabelRule, 'rank'> {
  if (key === undefined) return {};
  const isNegated = isExpression(key) && key[0] === '-' && key.length === 2;
  const attribute = attributeOf(isNegated ? key[1] : key);
  if (attribute === undefined) {
    notes.add('leftOut', { what: 'symbol-sort-key' });
    return {};
  }
  const rank: LabelRank = { attribute, first: isNegated ? 'highest' : 'lowest' };
  return { rank };
}
