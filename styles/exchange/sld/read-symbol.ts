import type { ColourRule, Hatch } from '@platen/contract/map-styles';
import { childrenOf, findElement, textAt, type XmlElement } from '@platen/formats/xml/xml-tree';
import type { NoteList } from '../notes.ts';
import type { RuleSymbol, SymbolOutline } from '../rules.ts';
import { colourOf, sizeOf } from '../parameter-value.ts';
import { hatchTypeOf } from './hatch-marks.ts';
import { propertyOf } from './read-filter.ts';
import { readValue } from './read-value.ts';

const pixelsPerMillimetre = 1 / 0.28; // the pixel of the standard has 0.28 mm
const usualGrey = '#808080';

/** @param rule how notes call it */
export function readSymbolizer(
  symbolizer: XmlElement,
  rule: string,
  notes: NoteList,
): RuleSymbol | undefined {
  const scale = unitScale(symbolizer, notes);
  switch (symbolizer.name) {
    case 'PolygonSymbolizer':
      noteOthers(symbolizer, ['Geometry', 'Fill', 'Stroke', 'Name', 'Description'], notes);
      return readArea(symbolizer);
    case 'LineSymbolizer':
      noteOthers(symbolizer, ['Geometry', 'Stroke', 'Name', 'Description'], notes);
      return readLine(symbolizer);
    case 'PointSymbolizer':
      noteOthers(symbolizer, ['Geometry', 'Graphic', 'Name', 'Description'], notes);
      return readPoint(symbolizer);
    default:
      return undefined;
  }

  function readArea(area: XmlElement): RuleSymbol {
    const fill = paint(findElement(area, 'Fill'), 'fill');
    const stroke = strokeOf(findElement(area, 'Stroke'));
    if (!fill && !stroke) notes.add('noColour', { rule });
    const hatch = hatchOfFill(findElement(area, 'Fill'));
    return {
      shape: 'area',
      colour: fill?.colour ?? stroke?.colour ?? usualGrey,
      opacity: hatch ? 0 : (fill?.opacity ?? 0),
      outline: stroke ? outlineOf(stroke) : null,
      ...(hatch && { hatch }),
    };
  }

  function hatchOfFill(element: XmlElement | undefined): Hatch | undefined {
    const type = element && hatchTypeOf(element);
    if (!type) return undefined;
    const graphic = findElement(element, 'GraphicFill', 'Graphic');
    const mark = findElement(graphic, 'Mark');
    const stroke = strokeOf(findElement(mark, 'Stroke'));
    const size = Number(textAt(graphic, 'Size') ?? Number.NaN) * scale;
    const isWide = typeof stroke?.width === 'number';
    return {
      type,
      ...(typeof stroke?.colour === 'string' && { colour: stroke.colour }),
      ...(isWide && { width: Math.min(10, Math.max(0.5, stroke.width as number)) }),
      ...(Number.isFinite(size) && { spacing: Math.min(100, Math.max(4, size)) }),
    };
  }

  function readLine(line: XmlElement): RuleSymbol {
    const stroke = strokeOf(findElement(line, 'Stroke')) ?? { colour: '#000000', opacity: 1, width: 1 };
    return { shape: 'line', colour: stroke.colour, opacity: stroke.opacity, size: stroke.width };
  }

  function readPoint(point: XmlElement): RuleSymbol {
    const graphic = findElement(point, 'Graphic');
    const mark = findElement(graphic, 'Mark');
    if (graphic) noteOthers(graphic, ['Mark', 'Size', 'Opacity'], notes);
    const form = textAt(mark, 'WellKnownName');
    if (form !== undefined && form !== 'circle') notes.add('leftOut', { what: `WellKnownName ${form}` });
    const sizeElement = findElement(graphic, 'Size');
    const size = sizeElement && readValue(sizeElement);
    const pixels = size && sizeOf(size, scale);
    if (size && pixels === undefined) notes.add('leftOut', { what: 'Size' });
    const whole = Number(textAt(graphic, 'Opacity') ?? 1);
    const fill = paint(findElement(mark, 'Fill'), 'fill');
    const stroke = strokeOf(findElement(mark, 'Stroke'));
    if (!fill && !stroke) notes.add('noColour', { rule });
    return {
      shape: 'point',
      colour: fill?.colour ?? stroke?.colour ?? usualGrey,
      opacity: (fill?.opacity ?? (mark ? 0 : 1)) * (Number.isFinite(whole) ? whole : 1),
      size: pixels ?? 6,
      outline: stroke ? outlineOf(stroke) : null,
    };
  }

  function outlineOf({ colour, width, opacity }: Stroke): SymbolOutline {
    if (opacity !== 1) notes.add('leftOut', { what: 'stroke-opacity' });
    if (typeof width !== 'number') notes.add('leftOut', { what: 'stroke-width' });
    return { colour, width: typeof width === 'number' ? width : 1 };
  }

  interface Paint {
    readonly colour: string | ColourRule;
    readonly opacity: number;
  }
  interface Stroke extends Paint {
    readonly width: NonNullable<RuleSymbol['size']>;
  }

  /** The colour and opacity of a Fill or Stroke. */
  function paint(element: XmlElement | undefined, kind: 'fill' | 'stroke'): Paint | undefined {
    if (!element) return undefined;
    const known = new Set([kind, `${kind}-opacity`, ...(kind === 'stroke' ? ['stroke-width'] : [])]);
    const graphic = findElement(element, 'GraphicFill') ?? findElement(element, 'GraphicStroke');
    const isHatch = kind === 'fill' && hatchTypeOf(element) !== undefined;
    noteOthers(element, ['CssParameter', 'SvgParameter', ...(isHatch ? ['GraphicFill'] : [])], notes);
    for (const { attributes, text } of parametersOf(element)) {
      const name = attributes['name'] ?? '';
      if (!known.has(name) && usualTexts[name] !== text.trim()) notes.add('leftOut', { what: name });
    }
    const value = parameter(element, kind);
    const colour = value && colourOf(value, hexOf);
    if (parameterOf(element, kind) && colour === undefined) notes.add('noColour', { rule });
    const opacity = parameter(element, `${kind}-opacity`);
    const share = opacity?.type === 'text' ? Number(opacity.text) : undefined;
    if (parameterOf(element, `${kind}-opacity`) && share === undefined)
      notes.add('leftOut', { what: `${kind}-opacity` });
    const ofGraphic = graphic && colourWithin(graphic);
    return {
      colour: colour ?? ofGraphic ?? (kind === 'fill' ? usualGrey : '#000000'),
      opacity: share !== undefined && Number.isFinite(share) ? share : 1,
    };
  }

  function strokeOf(element: XmlElement | undefined): Stroke | undefined {
    const stroke = paint(element, 'stroke');
    if (!element || !stroke) return undefined;
    const value = parameter(element, 'stroke-width');
    const width = value && sizeOf(value, scale);
    if (parameterOf(element, 'stroke-width') && width === undefined)
      notes.add('leftOut', { what: 'stroke-width' });
    return { ...stroke, width: width ?? 1 };
  }
}

/** What maps draw without being told. */
const usualTexts: Readonly<Record<string, string>> = {
  'stroke-linejoin': 'round',
  'stroke-linecap': 'round',
  'stroke-dashoffset': '0',
};

export const parametersOf = (element: XmlElement): XmlElement[] => [
  ...childrenOf(element, 'CssParameter'),
  ...childrenOf(element, 'SvgParameter'),
];

const parameterOf = (element: XmlElement, name: string) =>
  parametersOf(element).find(({ attributes }) => attributes['name'] === name);

function parameter(element: XmlElement, name: string) {
  const found = parameterOf(element, name);
  return found && readValue(found);
}

/** Notes the children that are not known. */
export function noteOthers({ name, children }: XmlElement, known: readonly string[], notes: NoteList): void {
  for (const child of children) {
    const option = child.attributes['name'];
    const what = child.name === 'VendorOption' ? `VendorOption ${option ?? ''}` : `${name}/${child.name}`;
    const isFunction = child.name === 'Geometry' && !child.children.every(propertyOf);
    if (isFunction || !known.includes(child.name)) notes.add('leftOut', { what });
  }
}

/** Colours of SLD are `#rrggbb`; other programs write `#rgb`, too. */
export function hexOf(text: string): string | undefined {
  const digits = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text.trim());
  const [, short, long] = digits ?? [];
  if (short !== undefined) return `#${short.replaceAll(/./g, '$&$&')}`.toLowerCase();
  return long === undefined ? undefined : `#${long}`.toLowerCase();
}

/** The first colour of a pattern. */
function colourWithin(element: XmlElement): string | undefined {
  for (const child of element.children) {
    const name = child.attributes['name'];
    const colour = name === 'fill' || name === 'stroke' ? hexOf(child.text) : colourWithin(child);
    if (colour !== undefined) return colour;
  }
  return undefined;
}

function unitScale({ attributes }: XmlElement, notes: NoteList): number {
  const unit = attributes['uom']?.split('/').at(-1) ?? 'pixel';
  if (unit === 'pixel' || unit === 'px') return 1;
  if (unit === 'mm' || unit === 'millimetre') return pixelsPerMillimetre;
  notes.add('units', { what: 'Size', unit });
  return 1;
}
