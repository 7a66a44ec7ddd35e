import { isWithin } from './area.ts';
import type { Area } from './crs.ts';

const zoneDegrees = 6;

/** Where another datum than WGS 84 is usual: the code of its zone 0, and its zones. */
const usual: readonly {
  readonly area: Area;
  readonly base: number;
  readonly zones: readonly [first: number, last: number];
}[] = [
  { area: [-12, 34, 40, 84], base: 25_800, zones: [28, 37] },
  { area: [-170, 15, -50, 84], base: 26_900, zones: [1, 23] },
];

/** The zone of UTM at a place, in the datum that is usual there. */
export function utmZoneAt(place: readonly [lon: number, lat: number]): {
  readonly code: string;
  readonly words: string;
} {
  const [lon, lat] = place;
  const zone = Math.min(60, Math.floor((lon + 180) / zoneDegrees) + 1);
  const own = usual.find(({ area, zones }) => isWithin(area, place) && zone >= zones[0] && zone <= zones[1]);
  const base = own?.base ?? (lat < 0 ? 32_700 : 32_600);
  return { code: `EPSG:${base + zone}`, words: `UTM zone ${zone}${lat < 0 ? ' south' : ''}` };
}
