import { isWithin } from '@platen/formats/crs/area';

interface NationalHeights {
  /** Codes of horizontal CRSs. */
  readonly horizontal: RegExp;
  /** EPSG's code of the vertical CRS. */
  readonly vertical: string;
  /** Where a horizontal CRS is that of several countries: west, south, east, north of this one. */
  readonly area?: readonly [number, number, number, number];
}

/** What the surveys of countries with a geoid grid give heights in, by the CRS that they give places in. */
const usual: readonly NationalHeights[] = [
  { horizontal: /^(?:3146[6-9]|568[2-5]|467[78]|555[3-5]|4647|5649|5650)$/, vertical: '7837' },
  { horizontal: /^2583[123]$/, vertical: '7837', area: [5.86, 47.27, 15.04, 54.8] },
  { horizontal: /^3125[4-9]$|^3128[7-9]$|^3129[01]$|^3416$/, vertical: '5778' },
  { horizontal: /^(?:2056|21781)$/, vertical: '5728' },
  { horizontal: /^(?:28992|28991)$/, vertical: '5709' },
  { horizontal: /^(?:31370|3812|3447)$/, vertical: '5710' },
  { horizontal: /^(?:2154|394[2-9]|3950|2757[2-4]|979[4-9])$/, vertical: '5720' },
  { horizontal: /^(?:258(?:29|30|31)|230(?:29|30|31))$/, vertical: '5782', area: [-9.4, 35.9, 3.4, 43.3] },
  { horizontal: /^(?:27700|7405)$/, vertical: '5701' },
  { horizontal: /^(?:2180|217[6-9])$/, vertical: '9651' },
];

/** @param crsCode of the horizontal CRS: `EPSG:25832` @param place longitude and latitude of the data */
export function usualVertical(
  crsCode: string | undefined,
  place: readonly [number, number],
): string | undefined {
  const code = /^EPSG:(\d+)$/.exec(crsCode ?? '')?.[1];
  if (code === undefined) return undefined;
  return usual.find(
    ({ horizontal, area }) => horizontal.test(code) && (area === undefined || isWithin(area, place)),
  )?.vertical;
}
