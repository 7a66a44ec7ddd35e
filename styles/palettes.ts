import { formatColour, type Colour } from '@platen/geo/canvas/colour';
import * as chromatic from 'd3-scale-chromatic';

export type PaletteKind = 'qualitative' | 'sequential' | 'diverging';

export interface Palette {
  readonly name: string;
  readonly kind: PaletteKind;
  /** Up to so many colours can be told apart with a colour vision deficiency, as ColorBrewer or its authors state. */
  readonly maxSafeColours: number;
}

const listed = (kind: PaletteKind, maxSafeColours: number, names: string): Palette[] =>
  names.split(' ').map((name) => ({ name, kind, maxSafeColours }));

/** Palettes of ColorBrewer and matplotlib, in the order in which they are offered. */
export const palettes: readonly Palette[] = [
  ...listed('qualitative', 0, 'Tableau10'),
  ...listed('qualitative', 3, 'Dark2'),
  ...listed('qualitative', 4, 'Paired'),
  ...listed('qualitative', 3, 'Set2'),
  ...listed('qualitative', 0, 'Set1 Set3 Pastel1 Pastel2 Accent'),
  ...listed('sequential', Infinity, 'YlGnBu Viridis Cividis Blues Greens Oranges Purples Reds Greys'),
  ...listed('sequential', Infinity, 'BuGn BuPu GnBu OrRd PuBu PuBuGn PuRd RdPu YlGn YlOrBr YlOrRd'),
  ...listed('sequential', Infinity, 'Inferno Magma Plasma'),
  ...listed('diverging', Infinity, 'RdYlBu RdBu PiYG PRGn PuOr BrBG'),
  ...listed('diverging', 0, 'RdYlGn Spectral RdGy'),
];

type Scheme = readonly string[] | readonly (readonly string[])[];
const exported = chromatic as unknown as Readonly<
  Record<string, Scheme | ((t: number) => string) | undefined>
>;

export const isDiverging = (name: string): boolean =>
  palettes.some((one) => one.name === name && one.kind === 'diverging');

/** How many different colours a palette has; Infinity if they are interpolated, or for an unknown name. */
export function paletteSize(name: string): number {
  const isQualitative = palettes.some((one) => one.name === name && one.kind === 'qualitative');
  return isQualitative ? exported[`scheme${name}`]!.length : Infinity;
}

/**
 * Colours of a palette, as `#rrggbb`. Qualitative ones repeat when they are used up.
 * @returns undefined for an unknown name
 */
export function paletteColours(name: string, count: number, isReversed = false): string[] | undefined {
  const palette = palettes.find((one) => one.name === name);
  if (!palette) return undefined;
  const colours = coloursOf(palette, count);
  return isReversed ? colours.toReversed() : colours;
}

function coloursOf({ name, kind }: Palette, count: number): string[] {
  const scheme = exported[`scheme${name}`];
  if (kind === 'qualitative') {
    const colours = scheme as readonly string[];
    return Array.from({ length: count }, (_, i) => colours[i % colours.length]!);
  }
  const designed = (scheme as readonly (readonly string[])[] | undefined)?.[count];
  if (designed) return [...designed];
  const interpolate = exported[`interpolate${name}`] as (t: number) => string;
  // the ends of sequential palettes are too light or too dark on a map
  const [from, to] = kind === 'sequential' ? [0.12, 0.95] : [0.05, 0.95];
  return Array.from({ length: count }, (_, i) =>
    hexOf(interpolate(count === 1 ? 0.6 : from + ((to - from) * i) / (count - 1))),
  );
}

function hexOf(colour: string): string {
  if (colour.startsWith('#')) return colour;
  const parts = [...colour.matchAll(/\d+/g)].slice(0, 3).map(([part]) => Number(part));
  return formatColour(parts as unknown as Colour);
}
