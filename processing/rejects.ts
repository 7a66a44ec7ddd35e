import type { FeaturePlace } from '@platen/formats/feature/feature';

/** An input feature, or a sheet, that cannot be used, with everything known about it. */
export interface RejectedFeature {
  readonly file: string;
  readonly layer?: string;
  /** Why it cannot be used. */
  readonly reason: string;
  /** Empty for a sheet. */
  readonly place: Partial<FeaturePlace>;
  readonly id?: string | number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** GeoJSON in longitude and latitude; null if nothing can be shown on a map. */
  readonly geometry: object | null;
  /** The geometry is incomplete. */
  readonly isPartOfGeometry?: boolean;
}

/** Limits of the file of rejects; all rejects are counted. */
export const maxRejects = 10_000;
export const maxRejectBytes = 64 * 2 ** 20;
