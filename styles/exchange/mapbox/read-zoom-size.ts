import type { SizeRule, ZoomSize } from '@platen/contract/map-styles';
import { isObject } from '../../is-object.ts';
import { isExpression } from './read-filter.ts';

/** Outputs at the first and the last zoom. */
export interface ZoomEnds {
  readonly far: { readonly zoom: number; readonly output: unknown };
  readonly near: { readonly zoom: number; readonly output: unknown };
  /** Whether it is a line from one to the other. */
  readonly isLinear: boolean;
}

/** The ends of what is interpolated by the zoom; undefined for all else. */
export function zoomEnds(value: unknown): ZoomEnds | undefined {
  const { stops, isLinear } = stopsOf(value);
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last || !(last[0] > first[0])) return undefined;
  const end = ([zoom, output]: Stop) => ({ zoom, output });
  return { far: end(first), near: end(last), isLinear: isLinear && stops.length === 2 };
}

type Stop = readonly [zoom: number, output: unknown];

function stopsOf(value: unknown): { stops: readonly Stop[]; isLinear: boolean } {
  if (isExpression(value)) {
    const [operator, curve, input, ...pairs] = value;
    const isByZoom = operator === 'interpolate' && isExpression(input) && input[0] === 'zoom';
    if (!isByZoom) return { stops: [], isLinear: false };
    const stops = pairs.flatMap((zoom, i): Stop[] =>
      i % 2 === 0 && typeof zoom === 'number' ? [[zoom, pairs[i + 1]]] : [],
    );
    return { stops, isLinear: isExpression(curve) && curve[0] === 'linear' };
  }
  // a function of former versions of the specification
  if (!isObject(value) || value['property'] !== undefined || !isExpression(value['stops']))
    return { stops: [], isLinear: false };
  const stops = value['stops'].flatMap((stop): Stop[] =>
    isExpression(stop) && typeof stop[0] === 'number' ? [[stop[0], stop[1]]] : [],
  );
  return { stops, isLinear: (value['base'] ?? 1) === 1 };
}

const maxShare = 20;

/** How sizes change between two zooms; undefined if not as one share of all of them, or hardly. */
export function zoomSizeOf(
  { far, near }: ZoomEnds,
  farSize: number | SizeRule,
  nearSize: number | SizeRule,
): ZoomSize | undefined {
  const [some, others] = [pixelsOf(farSize), pixelsOf(nearSize)];
  const share = some[0]! / others[0]!;
  const isOfAll =
    some.length === others.length && some.every((size, i) => Math.abs(size - share * others[i]!) < 0.01);
  if (!isOfAll || !(share >= 1 / maxShare && share <= maxShare)) return undefined;
  const zoom = (ofFile: number) => Math.min(24, Math.max(0, ofFile + 1));
  const ends = { far: zoom(far.zoom), near: zoom(near.zoom) };
  return ends.near > ends.far ? { ...ends, share: Math.round(share * 1000) / 1000 } : undefined;
}

function pixelsOf(size: number | SizeRule): readonly number[] {
  if (typeof size === 'number') return [size];
  if (size.type === 'single') return [size.size];
  return size.type === 'classes' ? size.sizes : [size.from.size, size.to.size];
}
