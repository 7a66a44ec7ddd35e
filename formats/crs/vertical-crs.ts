import { fullCode } from './authority.ts';
import type { EpsgEntry } from './register.ts';

/** What heights count from, in which unit and direction. */
export interface VerticalCrs {
  /** `ellipsoid`: of the horizontal CRS's datum; `seaLevel`: any other surface, such as a geoid or a tide. */
  readonly kind: 'ellipsoid' | 'seaLevel';
  /** `EPSG:7837`; undefined where only its name is known. */
  readonly code?: string;
  /** `DHHN2016 height`. */
  readonly name: string;
  /** EPSG's code of the vertical datum, which heights in feet and depths share with heights in metres. */
  readonly datum?: string;
  readonly metresPerUnit: number;
  /** Counts downwards. */
  readonly isDepth: boolean;
  /** An ellipsoid other than that of WGS 84, which is tens or hundreds of metres from it. */
  readonly isOtherEllipsoid?: boolean;
}

export const footMetres = 0.3048;
export const surveyFootMetres = 1200 / 3937;

/** @param datum as in `WGS 84 (EPSG:4979)` */
export function ellipsoidOf(
  datum: string,
  options: { readonly metresPerUnit?: number; readonly isOther?: boolean } = {},
): VerticalCrs {
  const { metresPerUnit = 1, isOther = false } = options;
  return {
    kind: 'ellipsoid',
    name: `ellipsoid of ${datum}`,
    metresPerUnit,
    isDepth: false,
    ...(isOther && { isOtherEllipsoid: true }),
  };
}

/** A geographic CRS with heights, which are ellipsoidal. */
export function ellipsoidOfEntry({ code, name, proj4 }: EpsgEntry): VerticalCrs {
  const isOther = proj4 === null || !/\+(?:ellps=GRS80|ellps=WGS84|datum=WGS84|datum=NAD83)\b/.test(proj4);
  return ellipsoidOf(`${name} (${fullCode(code)})`, { isOther });
}
