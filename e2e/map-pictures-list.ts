import type { Hatch, LabelRule, StyledShape } from '@platen/contract/map-styles';

/** One map to look at: a layer of example data in one way, on a base map. */
export interface PicturedMap {
  readonly name: string;
  readonly data: 'places' | 'rivers' | 'countries' | 'scan';
  readonly shape: StyledShape;
  readonly colourBy?: string;
  readonly label?: LabelRule;
  /** Of points of a scan, instead of their colours. */
  readonly pointStyle?: string;
  readonly hatch?: Hatch['type'];
  /** Points are small when they are seen from far. */
  readonly isSmallFar?: boolean;
  readonly baseMap?: 'world-light' | 'world-grey' | 'world-dark';
  readonly hasNames?: boolean;
  readonly map?: 'globe' | 'flat';
  readonly engine?: string;
  readonly width?: number;
  readonly language?: 'en' | 'de';
  readonly isPrint?: boolean;
  readonly view: { readonly at: readonly [number, number]; readonly distance: number };
}

const europe = { at: [12, 50], distance: 3_500_000 } as const;
const rhine = { at: [9.54, 47.14], distance: 45_000 } as const;
const alps = { at: [9.6, 47.3], distance: 350_000 } as const;
const region = { at: [10.4, 55.2], distance: 500_000 } as const;
const world = { at: [14, 26], distance: 12_500_000 } as const;

const points = { data: 'places', shape: 'point' } as const;
const lines = { data: 'rivers', shape: 'line' } as const;
const ranked = {
  attribute: 'name',
  rank: { attribute: 'rank', first: 'lowest' },
  placement: 'above',
} as const;
const areas = { data: 'countries', shape: 'area' } as const;
/** Looked at in its middle. */
const near = { at: [0, 0], distance: 95 } as const;
const scan = { data: 'scan', shape: 'cloud', view: near } as const;

/** Maps that differ in one thing each: data, colours, base map, screen, engine, language, paper. */
export const picturedMaps: readonly PicturedMap[] = [
  { name: 'points', ...points, view: europe },
  { name: 'points-category', ...points, colourBy: 'rank', view: europe },
  { name: 'points-number', ...points, colourBy: 'placesNearby', view: europe },
  { name: 'points-far', ...points, isSmallFar: true, view: world },
  { name: 'points-far-6.2', ...points, isSmallFar: true, engine: '~6.2', view: world },
  { name: 'points-far-5.0', ...points, isSmallFar: true, engine: '^5', view: world },
  { name: 'points-label', ...points, label: { attribute: 'name' }, view: europe },
  { name: 'points-label-flat', ...points, label: { attribute: 'name' }, map: 'flat', view: europe },
  { name: 'points-label-names', ...points, label: { attribute: 'name' }, hasNames: true, view: europe },
  { name: 'points-label-rank', ...points, label: ranked, view: europe },
  { name: 'points-label-rank-flat', ...points, label: ranked, map: 'flat', view: europe },
  { name: 'points-label-rank-6.2', ...points, label: ranked, engine: '~6.2', view: europe },
  { name: 'points-label-rank-5.0', ...points, label: ranked, engine: '^5', view: europe },
  { name: 'lines', ...lines, view: rhine },
  { name: 'lines-label', ...lines, label: { attribute: 'name' }, view: rhine },
  { name: 'lines-label-flat', ...lines, label: { attribute: 'name' }, map: 'flat', view: rhine },
  { name: 'lines-category', ...lines, colourBy: 'kind', view: rhine },
  { name: 'lines-grey', ...lines, baseMap: 'world-grey', view: rhine },
  { name: 'areas', ...areas, view: world },
  { name: 'areas-category', ...areas, colourBy: 'tint', view: world },
  { name: 'areas-number', ...areas, colourBy: 'areaKm2', view: world },
  { name: 'areas-label', ...areas, label: { attribute: 'name' }, view: europe },
  { name: 'areas-label-flat', ...areas, label: { attribute: 'name' }, map: 'flat', view: europe },
  { name: 'areas-label-6.2', ...areas, label: { attribute: 'name' }, engine: '~6.2', view: europe },
  { name: 'areas-label-5.0', ...areas, label: { attribute: 'name' }, engine: '^5', view: europe },
  { name: 'areas-hatch', ...areas, hatch: 'slash', view: europe },
  { name: 'areas-hatch-6.2', ...areas, hatch: 'slash', engine: '~6.2', view: europe },
  { name: 'areas-hatch-5.0', ...areas, hatch: 'slash', engine: '^5', view: europe },
  { name: 'areas-hatch-flat', ...areas, map: 'flat', hatch: 'slash', view: europe },
  { name: 'region-light', ...points, view: region },
  { name: 'region-grey', ...points, baseMap: 'world-grey', view: region },
  { name: 'region-dark', ...points, baseMap: 'world-dark', view: region },
  { name: 'region-flat', ...points, map: 'flat', view: region },
  { name: 'region-flat-dark', ...points, map: 'flat', baseMap: 'world-dark', view: region },
  { name: 'names-world', ...lines, hasNames: true, view: world },
  { name: 'names-europe', ...lines, hasNames: true, view: europe },
  { name: 'names-dark', ...lines, hasNames: true, baseMap: 'world-dark', view: europe },
  { name: 'names-grey-region', ...lines, hasNames: true, baseMap: 'world-grey', language: 'de', view: alps },
  { name: 'names-flat', ...lines, hasNames: true, map: 'flat', language: 'de', view: europe },
  { name: 'names-engine-6.2', ...lines, hasNames: true, engine: '~6.2', view: europe },
  { name: 'names-engine-5.0', ...lines, hasNames: true, engine: '^5', view: europe },
  { name: 'scan', ...scan },
  { name: 'scan-far', ...scan, view: { ...near, distance: 600 } },
  { name: 'scan-close', ...scan, view: { ...near, distance: 25 } },
  { name: 'scan-class', ...scan, pointStyle: 'Classification' },
  { name: 'scan-intensity', ...scan, pointStyle: 'Intensity' },
  { name: 'scan-return', ...scan, pointStyle: 'Return number' },
  { name: 'scan-6.2', ...scan, engine: '~6.2' },
  { name: 'scan-class-6.2', ...scan, pointStyle: 'Classification', engine: '~6.2' },
  { name: 'scan-5.0', ...scan, engine: '^5' },
  { name: 'scan-class-5.0', ...scan, pointStyle: 'Classification', engine: '^5' },
  { name: 'scan-intensity-5.0', ...scan, pointStyle: 'Intensity', engine: '^5' },
  { name: 'phone', ...areas, colourBy: 'tint', width: 390, view: europe },
  { name: 'engine-6.2', ...areas, colourBy: 'tint', engine: '~6.2', view: europe },
  { name: 'engine-5.0', ...areas, colourBy: 'tint', engine: '^5', view: europe },
  { name: 'german', ...areas, colourBy: 'areaKm2', language: 'de', view: europe },
  { name: 'print', ...areas, colourBy: 'tint', map: 'flat', isPrint: true, view: europe },
];
