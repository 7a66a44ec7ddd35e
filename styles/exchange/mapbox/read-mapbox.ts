import { color } from 'd3-color';
import { firstStyles } from '../first-styles.ts';
import { createNotes, type NoteList } from '../notes.ts';
import { colourOf, outputsOf, sizeOf } from '../parameter-value.ts';
import { StyleFileError } from '../read-error.ts';
import type { NotedStyle, RuleSymbol, StyleRule, SymbolShape } from '../rules.ts';
import { isSameCondition } from '../conditions.ts';
import { styleOfRules } from '../style-of-rules.ts';
import { hexOf } from './hex-of.ts';
import { readExpression } from './read-expression.ts';
import { readFilter, textOf } from './read-filter.ts';
import { readLabel } from './read-label.ts';
import { zoomEnds, zoomSizeOf } from './read-zoom-size.ts';
import { isObject, type Json } from '../../is-object.ts';

interface Layer {
  readonly id: string;
  readonly type: string;
  readonly paint: Json;
  readonly layout: Json;
  readonly json: Json;
}

/**
 * The styles of a style of Mapbox or MapLibre, one for each source or layer of a source; or of its layers alone.
 * @throws StyleFileError if it is something else
 */
export function readMapbox(json: unknown, newNotes: () => NoteList): NotedStyle[] {
  const list = Array.isArray(json) ? (json as unknown[]) : isObject(json) ? json['layers'] : undefined;
  const layers = (Array.isArray(list) ? (list as unknown[]) : []).filter(isObject).map(layerOf);
  if (layers.length === 0)
    throw new StyleFileError('It has no “layers”: it is no style of Mapbox or MapLibre.');
  const isDrawn = ({ type, layout }: Layer) => type !== 'background' && layout['visibility'] !== 'none';
  const groups = Map.groupBy(layers.filter(isDrawn), ({ json: { source, 'source-layer': name } }) =>
    textOf(name ?? source ?? ''),
  );
  return firstStyles([...groups], newNotes).map(([[name, group], notes]) => readGroup(name, group, notes));
}

function layerOf(json: Json): Layer {
  const objectAt = (key: string) => (isObject(json[key]) ? json[key] : {});
  return {
    id: textOf(json['id'] ?? ''),
    type: textOf(json['type']),
    paint: objectAt('paint'),
    layout: objectAt('layout'),
    json,
  };
}

const drawnTypes = new Set(['fill', 'line', 'circle', 'symbol']);

function readGroup(name: string, layers: readonly Layer[], notes: NoteList): NotedStyle {
  const of = (type: string) => layers.filter((layer) => layer.type === type);
  for (const { type, id } of layers)
    if (!drawnTypes.has(type)) notes.add('leftOut', { what: `${type} ${id}` });
  if (
    layers.some(
      ({ type, json }) =>
        (json['minzoom'] !== undefined && type !== 'symbol') || json['maxzoom'] !== undefined,
    )
  )
    notes.add('scale');
  const [areas, lines, points] = [of('fill'), of('line'), of('circle')].map((some) =>
    some.flatMap((layer) => readLayer(layer, notes)),
  ) as [StyleRule[], StyleRule[], StyleRule[]];
  const isMixed = areas.length > 0 && points.length > 0;
  const rules = isMixed
    ? areas.map((rule) => mixedRule(rule, points))
    : areas.length > 0
      ? areas.map((rule) => withOutline(rule, lines, notes))
      : upperRules(lines.length > 0 ? lines : points, notes);
  if (areas.length === 0 && lines.length > 0 && points.length > 0)
    notes.add('otherLayers', { what: 'circle' });
  const label = of('symbol')
    .map((layer) => readLabel(layer, notes))
    .find((one) => one !== undefined);
  const read = styleOfRules({ rules, label }, notes);
  return { notes, read: read && { ...read, ...(name !== '' && { name }) } };
}

const isAlike = ({ conditions }: StyleRule, other: StyleRule) =>
  conditions.length === other.conditions.length &&
  conditions.every((one) => other.conditions.some((two) => isSameCondition(one, two)));

/** Lines over an area are its outline. */
function withOutline(rule: StyleRule, lines: readonly StyleRule[], notes: NoteList): StyleRule {
  const line = lines.findLast((one) => isAlike(one, rule));
  if (lines.length > 0 && !line) notes.add('otherLayers', { what: 'line' });
  if (!line) return rule;
  const { colour, size, opacity } = line.symbol;
  if (opacity !== 1) notes.add('leftOut', { what: 'line-opacity' });
  if (typeof size !== 'number') notes.add('leftOut', { what: 'line-width' });
  const outline = { colour, width: typeof size === 'number' ? size : 1 };
  return { ...rule, symbol: { ...rule.symbol, outline } };
}

/** Areas, lines and points of one source: the size and outline are of the points. */
function mixedRule(rule: StyleRule, points: readonly StyleRule[]): StyleRule {
  const { size, zoomSize, outline } = (points.find((one) => isAlike(one, rule)) ?? points[0]!).symbol;
  return {
    ...rule,
    symbol: {
      ...rule.symbol,
      shape: 'mixed',
      ...(size !== undefined && { size }),
      ...(zoomSize && { zoomSize }),
      outline,
    },
  };
}

/** Of lines or points that lie above each other the upper ones: the lower ones are casings. */
function upperRules(rules: readonly StyleRule[], notes: NoteList): StyleRule[] {
  const upper = rules.filter((rule, i) => !rules.slice(i + 1).some((other) => isAlike(rule, other)));
  if (upper.length < rules.length) notes.add('otherLayers', { what: 'Casing' });
  return upper;
}

/** Lines are drawn with round ends and corners. */
const roundEnds = new Set(['line-cap', 'line-join']);

const shapes: Readonly<Record<string, SymbolShape>> = { fill: 'area', line: 'line', circle: 'point' };
const known: Readonly<Record<string, readonly string[]>> = {
  fill: ['fill-color', 'fill-opacity', 'fill-outline-color', 'fill-antialias'],
  line: ['line-color', 'line-opacity', 'line-width'],
  circle: ['circle-color', 'circle-opacity', 'circle-radius', 'circle-stroke-color', 'circle-stroke-width'],
};

function readLayer({ id, type, paint, layout, json }: Layer, notes: NoteList): StyleRule[] {
  const conditions = readFilter(json['filter']);
  if (!conditions) {
    notes.add('ruleLeftOut', { rule: id });
    return [];
  }
  for (const name of Object.keys(paint))
    if (!known[type]!.includes(name)) notes.add('leftOut', { what: name });
  for (const [name, value] of Object.entries(layout))
    if (name !== 'visibility' && !(roundEnds.has(name) && value === 'round'))
      notes.add('leftOut', { what: name });
  const colour = colourAt(`${type}-color`);
  const symbol: RuleSymbol = {
    shape: shapes[type]!,
    colour: colour.colour,
    opacity: numberAt(`${type}-opacity`, 1) * colour.opacity,
    ...(type === 'line' && sizesAt('line-width', 1, 1)),
    ...(type === 'circle' && sizesAt('circle-radius', 2, 5)),
    ...(type !== 'line' && { outline: outline() }),
  };
  return [{ name: id, conditions, symbol }];

  function outline(): RuleSymbol['outline'] {
    if (type === 'fill')
      return paint['fill-outline-color'] === undefined
        ? null
        : { colour: colourAt('fill-outline-color').colour, width: 1 };
    if (paint['circle-stroke-width'] === undefined) return null;
    return { colour: colourAt('circle-stroke-color').colour, width: numberAt('circle-stroke-width', 0) };
  }

  function colourAt(name: string) {
    const value = readExpression(paint[name] ?? '#000000', name, notes);
    const found = value && colourOf(value, hexOf);
    if (found === undefined) notes.add('noColour', { rule: id });
    const opacity = value?.type === 'text' ? (color(value.text)?.opacity ?? 1) : 1;
    if (value && value.type !== 'text' && outputsOf(value).some((text) => (color(text)?.opacity ?? 1) < 1))
      notes.add('leftOut', { what: `${name} (alpha)` });
    return { colour: found ?? '#888888', opacity };
  }

  function numberAt(name: string, usual: number): number {
    const value = readExpression(paint[name] ?? usual, name, notes);
    const number = value && sizeOf(value, 1);
    if (typeof number === 'number') return number;
    notes.add('leftOut', { what: name });
    return usual;
  }

  function sizesAt(name: string, scale: number, usual: number): Pick<RuleSymbol, 'size' | 'zoomSize'> {
    const sizeOfOutput = (output: unknown, list: NoteList) => {
      const value = readExpression(output, name, list);
      return value && sizeOf(value, scale);
    };
    const ends = zoomEnds(paint[name]);
    const far = ends && sizeOfOutput(ends.far.output, createNotes());
    const near = ends && sizeOfOutput(ends.near.output, notes);
    const zoomSize = far !== undefined && near !== undefined ? zoomSizeOf(ends!, far, near) : undefined;
    if (near !== undefined && zoomSize) {
      if (!ends!.isLinear) notes.add('zoomEnds', { what: name });
      return { size: near, zoomSize };
    }
    const size = sizeOfOutput(paint[name] ?? usual, notes);
    if (size === undefined) notes.add('leftOut', { what: name });
    return { size: size ?? usual * scale };
  }
}
