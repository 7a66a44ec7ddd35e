import { formatColour } from '@platen/geo/canvas/colour';
import { childrenOf, findElement, type XmlElement } from '@platen/formats/xml/xml-tree';
import type { NoteList } from '../notes.ts';
import { withHatch } from '../with-hatch.ts';
import type { RuleSymbol, SymbolOutline } from '../rules.ts';
import { hatchTypeOf } from './brush.ts';

/** What a pixel of the screen is, as QGIS assumes: 96 to an inch. */
const pixelsPer: Readonly<Record<string, number>> = {
  MM: 96 / 25.4,
  Point: 96 / 72,
  Inch: 96,
  Pixel: 1,
  Pixels: 1,
};

export type Properties = ReadonlyMap<string, string>;

/** The properties of a symbol layer: `<Option name= value=>` since QGIS 3.20, `<prop k= v=>` before. */
export function propertiesOf(layer: XmlElement): Properties {
  const map = childrenOf(layer, 'Option').find(({ attributes }) => attributes['type'] === 'Map');
  const options = map ? childrenOf(map, 'Option') : [];
  return new Map([
    ...childrenOf(layer, 'prop').map(({ attributes: { k = '', v = '' } }) => [k, v] as const),
    ...options.map(({ attributes: { name = '', value = '' } }) => [name, value] as const),
  ]);
}

export interface QgisColour {
  readonly colour: string;
  /** 0 to 1. */
  readonly opacity: number;
}

/** Of `255,0,0,128`, which may be followed by the same in other notations. */
export function colourOf(text: string | undefined): QgisColour | undefined {
  const parts = (text ?? '').split(',', 4).map(Number);
  const [red, green, blue, alpha = 255] = parts;
  const isValid =
    parts.length >= 3 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
  return isValid ? { colour: formatColour([red!, green!, blue!]), opacity: alpha / 255 } : undefined;
}

/** A length in pixels. @param what is noted if its unit depends on the map */
export function pixelsOf(
  text: string | undefined,
  unit: string | undefined,
  notes: NoteList,
  what: string,
): number | undefined {
  const number = Number(text);
  if (text === undefined || text === '' || !Number.isFinite(number) || number < 0) return undefined;
  const factor = pixelsPer[unit ?? 'MM'];
  if (factor === undefined) notes.add('units', { what, unit: unit ?? '' });
  return Number(Math.min(200, number * (factor ?? 1)).toFixed(2));
}

/** The layer of a symbol that is seen, as it is drawn. @returns undefined if none can be read */
export function readSymbol(symbol: XmlElement, notes: NoteList): RuleSymbol | undefined {
  const own = Number(symbol.attributes['alpha'] ?? 1);
  const layers = childrenOf(symbol, 'layer').filter(({ attributes }) => attributes['enabled'] !== '0');
  const read = layers.flatMap((layer) => {
    const kind = layer.attributes['class'] ?? '';
    const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
    const drawn = reader?.(propertiesOf(layer), notes);
    if (!drawn) notes.add('leftOut', { what: kind });
    else noteDataDefined(layer, notes);
    return drawn ? [drawn] : [];
  });
  const [below, above] = read;
  const hatched = read.length === 2 && below && above && withHatch(below, above);
  if (hatched) return { ...hatched, opacity: opacityOf(hatched) };
  if (read.length > 1) notes.add('otherLayers', { what: 'Symbol layer' });
  // later layers lie above; a casing is below its line
  const top = read.at(-1);
  return top && { ...top, opacity: opacityOf(top) };

  function opacityOf({ opacity }: RuleSymbol): number {
    return Number((opacity * (Number.isFinite(own) ? own : 1)).toFixed(2));
  }
}

function noteDataDefined(layer: XmlElement, notes: NoteList): void {
  const options = findElement(layer, 'data_defined_properties', 'Option');
  const properties = childrenOf(options ?? layer, 'Option').find(
    ({ attributes }) => attributes['name'] === 'properties',
  );
  for (const { attributes } of properties ? childrenOf(properties, 'Option') : [])
    notes.add('leftOut', { what: `data-defined ${attributes['name'] ?? ''}` });
}

type ReadLayer = (properties: Properties, notes: NoteList) => RuleSymbol | undefined;

const readers: Readonly<Record<string, ReadLayer>> = {
  SimpleMarker(properties, notes) {
    const fill = colourOf(properties.get('color'));
    if (!fill) return undefined;
    const name = properties.get('name') ?? 'circle';
    if (name !== 'circle') notes.add('leftOut', { what: `Marker ${name}` });
    const size = pixelsOf(properties.get('size'), properties.get('size_unit'), notes, 'Size');
    return {
      shape: 'point',
      ...fill,
      ...(size !== undefined && { size }),
      outline: outlineOf(properties, notes),
    };
  },
  SimpleLine(properties, notes) {
    const line = colourOf(properties.get('line_color'));
    if (!line) return undefined;
    const style = properties.get('line_style') ?? 'solid';
    if (style !== 'solid' || properties.get('use_custom_dash') === '1')
      notes.add('leftOut', { what: 'Dashes' });
    const size = pixelsOf(properties.get('line_width'), properties.get('line_width_unit'), notes, 'Width');
    return { shape: 'line', ...line, ...(size !== undefined && { size }) };
  },
  SimpleFill(properties, notes) {
    const fill = colourOf(properties.get('color'));
    if (!fill) return undefined;
    const style = properties.get('style') ?? 'solid';
    const type = hatchTypeOf(style);
    if (style !== 'solid' && style !== 'no' && !type) notes.add('leftOut', { what: `Pattern ${style}` });
    return {
      shape: 'area',
      ...fill,
      ...((style === 'no' || type) && { opacity: 0 }),
      ...(type && { hatch: { type, colour: fill.colour } }),
      outline: outlineOf(properties, notes),
    };
  },
};

/** Outlines of no width are as thin as a pixel. */
function outlineOf(properties: Properties, notes: NoteList): SymbolOutline | null {
  const colour = colourOf(properties.get('outline_color') ?? properties.get('color_border'));
  const style = properties.get('outline_style') ?? properties.get('style_border') ?? 'solid';
  if (!colour || style === 'no' || colour.opacity === 0) return null;
  if (style !== 'solid') notes.add('leftOut', { what: 'Dashes' });
  const width = properties.get('outline_width') ?? properties.get('width_border');
  const pixels = pixelsOf(width, properties.get('outline_width_unit'), notes, 'Outline');
  return { colour: colour.colour, width: pixels || 1 };
}
