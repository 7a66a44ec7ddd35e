import type { GeometryPart } from '../feature/geometry-buffer.ts';

/** The parts of a Style that are kept, under the names of simplestyle-spec 1.1. */
export type KmlStyle = Readonly<Record<string, string | number>>;

/** Bounds the memory for a file of nothing but styles. */
const maxSharedStyles = 100_000;
/** Bounds chains of styles that refer to others, perhaps to themselves. */
const maxChainLength = 4;

/** Shared styles of a file, each known once its element has ended: by the schema of KML 2.3 they precede features. */
export interface KmlStyles {
  /** @param style or the url of the one it stands for, as in a StyleMap, known only later perhaps */
  share(id: string, style: KmlStyle | string): void;
  /** @param url as in styleUrl; only `#id` of the same file is followed */
  find(url: string): KmlStyle | undefined;
}

export function createKmlStyles(): KmlStyles {
  const shared = new Map<string, KmlStyle | string>();
  return {
    share(id, style) {
      if (shared.size < maxSharedStyles) shared.set(id, style);
    },
    find(url) {
      let found: KmlStyle | string | undefined = url;
      for (let step = 0; typeof found === 'string' && step < maxChainLength; step++) {
        found = shared.get(found.slice(found.indexOf('#') + 1));
      }
      return typeof found === 'string' ? undefined : found;
    },
  };
}

/**
 * The style property of a leaf element, by the element that contains it.
 * KML 2.3, 12: colours are aabbggrr; fill and outline are switches.
 */
export function styleOf(parent: string, leaf: string, text: string): KmlStyle {
  const opacity = /^[\da-f]{8}$/i.test(text) ? round(Number.parseInt(text.slice(0, 2), 16) / 255) : undefined;
  const colour = `#${text.slice(6, 8)}${text.slice(4, 6)}${text.slice(2, 4)}`.toLowerCase();
  if (leaf === 'color' && opacity !== undefined) {
    if (parent === 'LineStyle') return { stroke: colour, 'stroke-opacity': opacity };
    if (parent === 'PolyStyle') return { fill: colour, 'fill-opacity': opacity };
    if (parent === 'IconStyle') return { 'marker-color': colour };
  }
  if (parent === 'LineStyle' && leaf === 'width' && Number.isFinite(Number(text)))
    return { 'stroke-width': Number(text) };
  const off = text === '0' || text === 'false';
  if (parent === 'PolyStyle' && leaf === 'fill' && off) return { 'fill-opacity': 0 };
  if (parent === 'PolyStyle' && leaf === 'outline' && off) return { 'stroke-opacity': 0 };
  return {};
}

/** Applies the parts of a style that the geometry can show. */
export function applyStyle(
  style: KmlStyle,
  parts: readonly GeometryPart[],
  properties: Record<string, unknown>,
): void {
  const has = (type: string): boolean => parts.some((part) => part.type.endsWith(type));
  const filled = has('Polygon');
  const stroked = filled || has('LineString');
  for (const [key, value] of Object.entries(style)) {
    const shown = key.startsWith('fill') ? filled : key.startsWith('stroke') ? stroked : has('Point');
    if (shown) properties[key] ??= value;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
