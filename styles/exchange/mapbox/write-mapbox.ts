import type { ColourRule, LabelRule, MapStyle, SizeRule, ZoomSize } from '@platen/contract/map-styles';
import { boundsOf, sizeAt } from '../../class-bounds.ts';
import { hatchesOf } from '../../hatch.ts';
import { labelOptions } from '../../label-options.ts';
import { anchors, fontStacks } from './label-layout.ts';
import { styleDefaults } from '../../style-defaults.ts';
import { conditionOf } from '../conditions.ts';
import type { NoteList } from '../notes.ts';
import type { Condition, RuleSymbol, StyleToWrite } from '../rules.ts';
import { symbolOfStyle, symbolShape } from '../rules-of-style.ts';
import { colourExpression, get, ofNumber, type Expression } from './colour-expression.ts';

type Layer = Readonly<Record<string, unknown>>;

/** A style of Mapbox and MapLibre with the layers of the style, and an empty source for them. */
export function writeMapbox({ style, shape, name }: StyleToWrite, notes: NoteList): string {
  const layers = layersOf(style, symbolOfStyle(style, symbolShape(shape)));
  noteLosses(style, notes);
  if (hatchesOf(style, shape).length > 0) notes.add('leftOut', { what: 'Hatch' });
  const document = {
    version: 8,
    name,
    sources: { data: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } },
    layers,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function noteLosses({ colour }: MapStyle, notes: NoteList): void {
  const titles =
    colour.type === 'categories'
      ? [...colour.categories.map(({ title }) => title), colour.others?.title]
      : colour.type === 'classes'
        ? [...(colour.titles ?? []), colour.noValue?.title]
        : colour.type === 'continuous'
          ? [colour.noValue?.title]
          : [];
  if (titles.some(Boolean)) notes.add('leftOut', { what: 'Legend text' });
}

function layersOf(style: MapStyle, symbol: RuleSymbol): Layer[] {
  const { shape, opacity, outline, size = styleDefaults.pointSize } = symbol;
  const sizeOf = (scale: number) => zoomedSize(size, scale, style.zoomSize);
  const colour = colourExpression(symbol.colour);
  const conditions = [...(style.filter ?? []).map(conditionOf), ...conditionsOfColours(style.colour)];
  const layer = (type: string, geometry: string | undefined, options: object): Layer => ({
    id: geometry === undefined ? type : `${type}-${geometry}`,
    type,
    source: 'data',
    ...filterOf(conditions, geometry),
    ...options,
  });
  const fill = (geometry?: string) =>
    layer('fill', geometry, { paint: { 'fill-color': colour, 'fill-opacity': opacity } });
  const line = (geometry?: string) =>
    layer('line', geometry, {
      paint: { 'line-color': colour, 'line-width': sizeOf(1), 'line-opacity': opacity },
    });
  const border = () =>
    outline && {
      ...layer('line', undefined, {
        paint: { 'line-color': colourExpression(outline.colour), 'line-width': outline.width },
      }),
      id: 'outline',
    };
  const circle = (geometry?: string) =>
    layer('circle', geometry, {
      paint: {
        'circle-color': colour,
        'circle-radius': sizeOf(0.5),
        'circle-opacity': opacity,
        ...(outline && {
          'circle-stroke-color': colourExpression(outline.colour),
          'circle-stroke-width': outline.width,
        }),
      },
    });
  const drawn = {
    area: () => [fill(), border()],
    line: () => [line()],
    point: () => [circle()],
    mixed: () => [fill('Polygon'), line('LineString'), circle('Point')],
  }[shape]();
  const label = style.label && layer('symbol', undefined, labelLayer(style.label));
  return [...drawn, label].filter((one) => one !== undefined && one !== null);
}

/** Features that colours leave out are not drawn. */
function conditionsOfColours(colour: ColourRule): Condition[] {
  if (colour.type === 'single') return [];
  const { attribute } = colour;
  if (colour.type !== 'categories')
    return colour.noValue ? [] : [{ attribute, operator: 'exists', values: [] }];
  const values = colour.categories.flatMap((category) => category.values);
  return colour.others ? [] : [{ attribute, operator: 'in', values }];
}

function filterOf(conditions: readonly Condition[], geometry: string | undefined) {
  const tests = [
    ...(geometry === undefined ? [] : [['==', ['geometry-type'], geometry]]),
    ...conditions.map(testOf),
  ];
  if (tests.length === 0) return {};
  return { filter: tests.length === 1 ? tests[0] : ['all', ...tests] };
}

function testOf({ attribute, operator, values }: Condition): Expression {
  switch (operator) {
    case 'exists':
      return ['!=', get(attribute), null];
    case 'missing':
      return ['==', get(attribute), null];
    case 'in':
      return ['in', get(attribute), ['literal', values]];
    case 'notIn':
      return ['!', ['in', get(attribute), ['literal', values]]];
    case '=':
    case '!=':
      return [operator === '=' ? '==' : '!=', get(attribute), values[0] ?? ''];
    case '<':
    case '<=':
    case '>':
    case '>=':
      return [operator, get(attribute), Number(values[0])];
  }
}

/** Zooms of Mapbox count tiles of 512 pixels. `zoom` is the input of the outermost expression only. */
function zoomedSize(size: number | SizeRule, scale: number, zoomSize: ZoomSize | undefined): Expression {
  const nearby = sizeExpression(size, scale);
  if (!zoomSize) return nearby;
  const { far, near, share } = zoomSize;
  const stops = [far - 1, sizeExpression(size, scale * share), near - 1, nearby];
  return ['interpolate', ['linear'], ['zoom'], ...stops];
}

/** @param scale from our sizes to those of the layer */
function sizeExpression(size: number | SizeRule, scale: number): Expression {
  if (typeof size === 'number') return size * scale;
  switch (size.type) {
    case 'single':
      return size.size * scale;
    case 'classes': {
      const steps = boundsOf(size.breaks).flatMap(({ from }, i) => {
        const pixels = sizeAt(size.sizes, i) * scale;
        return from === undefined ? [pixels] : [from, pixels];
      });
      return ofNumber(size.attribute, ['step', get(size.attribute), ...steps], sizeAt(size.sizes, 0) * scale);
    }
    case 'continuous': {
      const { attribute, from, to } = size;
      const stops = [from, to].flatMap((end) => [end.value, end.size * scale]);
      return ofNumber(attribute, ['interpolate', ['linear'], get(attribute), ...stops], from.size * scale);
    }
  }
}

function labelLayer(label: LabelRule): object {
  const { attribute, font, size, isBold, colour, haloColour } = labelOptions(label);
  const { placement, rank, minZoom } = label;
  const number = rank && ['to-number', get(rank.attribute)];
  return {
    // zooms of Mapbox count tiles of 512 pixels
    ...(minZoom !== undefined && { minzoom: Math.max(0, minZoom - 1) }),
    layout: {
      'text-field': ['to-string', get(attribute)],
      'text-size': size,
      'text-font': [`${fontStacks[font]} ${isBold ? 'Bold' : 'Regular'}`],
      ...(placement && { 'text-anchor': anchors[placement] }),
      // the lowest comes first
      ...(number && { 'symbol-sort-key': rank.first === 'lowest' ? number : ['-', number] }),
    },
    paint: {
      'text-color': colour,
      'text-halo-color': haloColour,
      'text-halo-width': styleDefaults.haloWidth,
    },
  };
}
