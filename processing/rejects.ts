import type { FeaturePlace } from '@platen/formats/feature/feature';

/** A feature of an input that cannot be used, as far as anything is known of it. */
export interface RejectedFeature {
  readonly file: string;
  readonly layer?: string;
  /** What is wrong with it. */
  readonly reason: string;
  readonly place: FeaturePlace;
  readonly id?: string | number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** GeoJSON in longitude and latitude; null: nothing of it can be shown on a map. */
  readonly geometry: object | null;
  /** The geometry is not all of what there is. */
  readonly isPartOfGeometry?: boolean;
}

/** What the file of rejects holds at most; all of them are counted. */
export const mostRejects = 10_000;
export const mostRejectBytes = 64 * 2 ** 20;
