import type { LabelRule } from '@platen/contract/map-styles';
import { titleAttribute } from './default-card.ts';
import type { AttributeSummary } from './style-attribute.ts';

/** Where features are, and how many. */
export interface Spread {
  /** West, south, east, north in degrees. */
  readonly bbox: readonly number[] | undefined;
  readonly featureCount: number | undefined;
}

/** Of new labels: thin letters are pale on areas in colours. */
export const labelDefaults = { isBold: true } as const;

const degreeMetres = 111_319.49;
/**
 * A label of 100 pixels in a view of 1,280, which shows as many metres as it is away, is as wide as 0.08 of the distance:
 * from farther away than 12 times what lies between features, they overlap.
 */
const distancePerSpacing = 12;
const limits = { min: 300, max: 5_000_000 };

/** Labels points or areas by what tells them apart, from where there is room; undefined if nothing does, or little is known. */
export function defaultLabel(
  attributes: readonly AttributeSummary[],
  { bbox, featureCount }: Spread,
): LabelRule | undefined {
  const title = titleAttribute(attributes);
  if (title === undefined || bbox === undefined || !featureCount) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = bbox;
  const width = (east < west ? east + 360 - west : east - west) * Math.cos(((south + north) / 360) * Math.PI);
  const spacing = degreeMetres * Math.sqrt(Math.max(0, width * (north - south)) / featureCount);
  const distance = Math.min(limits.max, Math.max(limits.min, spacing * distancePerSpacing));
  return { attribute: title.name, ...labelDefaults, maxDistance: Number(distance.toPrecision(2)) };
}
