import { originOf } from '@platen/styles/style-item';
import { isObject } from '../../ui/is-object.ts';
import { clearAt, setAt, type Item } from './content.ts';

/** Styles that are written in place: by attributes, or one of VC Map's own. */
export type StyleKind = 'attributes' | 'own VectorStyleItem' | 'own DeclarativeStyleItem';

export const kindOf = (style: unknown): string =>
  originOf(style) ? 'attributes' : `own ${isObject(style) ? String(style['type']) : ''}`;

const key = 'leftStyles';

interface Parted {
  /** Without the styles that were left. */
  readonly holder: Item;
  /** By their kinds. */
  readonly left: Item;
}

function part(holder: Item): Parted {
  const { properties } = holder;
  if (!isObject(properties) || !isObject(properties[key])) return { holder, left: {} };
  return { holder: clearAt(holder, ['properties', key]) as Item, left: properties[key] };
}

const withLeft = (holder: Item, left: Item): Item =>
  Object.keys(left).length === 0 ? holder : (setAt(holder, ['properties', key], left) as Item);

/** A style as it is saved elsewhere. */
export const withoutLeftStyles = (style: Item): Item => part(style).holder;

/** A layer apart from its style, and all styles that it has and had. */
function partLayer(layer: Item): Parted {
  const { holder, left } = part(layer);
  const { style, ...bare } = holder;
  if (!isObject(style)) return { holder: bare, left };
  const own = part(style);
  return { holder: bare, left: { ...left, ...own.left, [kindOf(style)]: own.holder } };
}

/** The layer without a style of its own. Its properties keep what it had. */
export function leaveStyle(layer: Item): Item {
  const { holder, left } = partLayer(layer);
  return withLeft(holder, left);
}

/**
 * The layer with a style of a kind: the one that was left for another kind before, if there is one. The properties of
 * the style keep those of the other kinds.
 * @param begin a style of the kind
 */
export function takeStyle(layer: Item, kind: StyleKind, begin: () => Item): Item {
  const { holder, left } = partLayer(layer);
  const { [kind]: again, ...others } = left;
  return { ...holder, style: withLeft(isObject(again) ? again : begin(), others) };
}
