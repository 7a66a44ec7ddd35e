// Runs in the browser, as a part of start.ts: which labels of a layer come first where they would overlap, by an attribute
// of their features. The engine has no such option.

/** As in `LabelRule` of contract/map-styles.ts. */
export interface LabelRank {
  readonly attribute: string;
  readonly first: 'highest' | 'lowest';
}
/** A style by attributes. */
export interface RankedStyle {
  readonly properties?: { readonly mapStyle?: { readonly style?: { readonly label?: RankedLabel } } };
}
interface RankedLabel {
  readonly rank?: LabelRank;
}
interface Feature {
  get(attribute: string): unknown;
}

/** Higher ones come first; the last ones are those without a number. */
export function rankOf({ attribute, first }: LabelRank, feature: Feature | undefined): number {
  const value = feature?.get(attribute);
  const isMissing = value === undefined || value === null || value === '';
  const number = isMissing ? Number.NaN : Number(value);
  if (Number.isNaN(number)) return Number.NEGATIVE_INFINITY;
  return first === 'highest' ? number : -number;
}

/** The rank of a style; undefined if the order of features counts. */
export function rankOfStyle({ properties }: RankedStyle): LabelRank | undefined {
  return properties?.mapStyle?.style?.label?.rank;
}
