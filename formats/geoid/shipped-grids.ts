/** A grid of this repository: `grids/LICENCES.md` names where each comes from. */
export interface ShippedGrid {
  readonly name: string;
  /** In the folder `grids`. */
  readonly file: string;
  /** EPSG's code of the heights that it is made for. */
  readonly code: string;
  /** West, south, east, north of its nodes in degrees, rounded. */
  readonly area: readonly [number, number, number, number];
  /** Of ellipsoidal heights computed with it, by EPSG; for LN02 by swisstopo. */
  readonly accuracyMetres: number;
  /** How far EGM96 is from it: the 95th percentile over its land, measured. */
  readonly egm96Metres: number;
  /** Older heights of the same country that it is used for, too, and how far they may differ. */
  readonly related?: Readonly<Record<string, number>>;
}

export const egm96: ShippedGrid = {
  name: 'EGM96',
  file: 'world-egm96.geoid',
  code: '5773',
  area: [-180, -90, 180, 90],
  accuracyMetres: 1,
  egm96Metres: 0,
};

export const nationalGrids: readonly ShippedGrid[] = [
  {
    name: 'GCG2016',
    file: 'de-gcg2016.geoid',
    code: '7837',
    area: [3.256, 47.221, 15.119, 55.979],
    accuracyMetres: 0.02,
    egm96Metres: 0.5,
    related: { 5783: 0.06, 5784: 0.1 }, // DHHN92, DHHN85
  },
  {
    name: 'GV-Höhengrid plus Geoid V2',
    file: 'at-gv-v2.geoid',
    code: '5778',
    area: [9.5, 46.35, 17.188, 49.05],
    accuracyMetres: 0.05,
    egm96Metres: 1.7,
  },
  {
    name: 'CHGeo2004 (LN02)',
    file: 'ch-chgeo2004-ln02.geoid',
    code: '5728',
    area: [5.85, 45.75, 10.5, 47.85],
    accuracyMetres: 0.1,
    egm96Metres: 2.2,
    related: { 5729: 0.6 }, // LHN95
  },
  {
    name: 'NLGEO2018',
    file: 'nl-nlgeo2018.geoid',
    code: '5709',
    area: [2, 50, 8, 56],
    accuracyMetres: 0.01,
    egm96Metres: 0.3,
  },
  {
    name: 'hBG18',
    file: 'be-hbg18.geoid',
    code: '5710',
    area: [1, 48.5, 7, 52.5],
    accuracyMetres: 0.02,
    egm96Metres: 2.7,
  },
  {
    name: 'RAF20',
    file: 'fr-raf20.geoid',
    code: '5720',
    area: [-5.5, 42, 8.5, 51.5],
    accuracyMetres: 0.01,
    egm96Metres: 1.2,
  },
  {
    name: 'EGM08-REDNAP',
    file: 'es-egm08-rednap.geoid',
    code: '5782',
    area: [-9.5, 35, 4.5, 44],
    accuracyMetres: 0.05,
    egm96Metres: 0.9,
  },
  {
    name: 'OSGM15',
    file: 'gb-osgm15.geoid',
    code: '5701',
    area: [-9.392, 49.768, 3.549, 61.131],
    accuracyMetres: 0.01,
    egm96Metres: 0.8,
  },
  {
    name: 'PL-geoid2021',
    file: 'pl-geoid2021.geoid',
    code: '9651',
    area: [13, 48, 25, 56],
    accuracyMetres: 0.03,
    egm96Metres: 0.6,
    related: { 9650: 0.2 }, // Baltic 1986 (Kronstadt)
  },
];
