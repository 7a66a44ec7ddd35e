// The layers of the demo's map, from below to above.

/** Which data a layer shows. */
export type DemoData = 'countries' | 'rivers' | 'places';

export interface DemoLayer {
  readonly name: string;
  readonly data: DemoData;
  readonly zIndex: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly declarativeStyle: Readonly<Record<string, unknown>>;
  /** Rows of the legend, as VC Map has them; titles are keys. */
  readonly legend: readonly Readonly<Record<string, unknown>>[];
  /** The view that a click on a feature opens. */
  readonly card: 'country' | 'river' | 'place';
}

const tints = ['#9ccfc4', '#c5dca0', '#f2dc9b', '#f2bd9a', '#b4c7e7'];
const border = '#7b8a8f';
const water = '#4a90c8';
const accent = '#c2410c';
const quiet = '#0e6b78';

const css = (colour: string) => `color('${colour}')`;

// without labels: the base map has the names, in the language of the visitor
const white = { pointOutlineColor: css('#ffffff') };
const capital = { ...white, color: css(accent), pointSize: '7', pointOutlineWidth: '2' };
const town = { color: quiet, size: '5' };

/**
 * Far above the ground, so that the globe hides those of its far side, and pushed to the front, so that it does not cut
 * them in half. Cameras that are near have the points behind them; layers of higher levels take over there.
 */
const beforeTheGlobe = { altitudeMode: 'absolute', groundLevel: 2000, eyeOffset: [0, 0, -400_000] };
const aboveTheGround = { altitudeMode: 'absolute', groundLevel: 200, eyeOffset: [0, 0, -5000] };

const circle = (title: string, colour: string, radius: number) => ({
  type: 'CircleLegendRow',
  title,
  image: { radius, fill: { color: colour }, stroke: { color: '#ffffff', width: 2 } },
});

export const demoLayers: readonly DemoLayer[] = [
  {
    name: 'countries',
    data: 'countries',
    zIndex: 10,
    options: { renderer: 'image' },
    declarativeStyle: {
      color: {
        conditions: [
          ...tints.map((tint, index) => ['${tint} === ' + String(index), css(tint)]),
          ['true', css('#dfe5e2')],
        ],
      },
      strokeColor: css(border),
      strokeWidth: '0.8',
    },
    legend: [
      {
        type: 'FillLegendRow',
        title: 'demo.land',
        fill: { color: tints[0] },
        stroke: { color: border, width: 1 },
      },
      { type: 'StrokeLegendRow', title: 'demo.border', stroke: { color: border, width: 1 } },
    ],
    card: 'country',
  },
  {
    name: 'rivers',
    data: 'rivers',
    zIndex: 20,
    // of two small areas
    options: { renderer: 'primitive', minLevel: 6 },
    declarativeStyle: {
      color: css(water),
      strokeColor: css(water),
      strokeWidth: {
        conditions: [
          ["${kind} === 'river'", '3'],
          ['true', '1.5'],
        ],
      },
    },
    legend: [
      { type: 'StrokeLegendRow', title: 'demo.river', stroke: { color: water, width: 3 } },
      { type: 'StrokeLegendRow', title: 'demo.stream', stroke: { color: water, width: 1.5 } },
    ],
    card: 'river',
  },
  {
    name: 'capitals',
    data: 'places',
    zIndex: 40,
    options: { renderer: 'primitive', maxLevel: 5, vectorProperties: beforeTheGlobe },
    declarativeStyle: { ...capital, show: '${rank} === 0' },
    legend: [circle('demo.capital', accent, 4)],
    card: 'place',
  },
  {
    // they appear from zoom level 4 on, where there is room for their names
    name: 'further-capitals',
    data: 'places',
    zIndex: 39,
    options: { renderer: 'primitive', minLevel: 4, maxLevel: 5, vectorProperties: beforeTheGlobe },
    declarativeStyle: { ...capital, show: '${rank} === 1' },
    legend: [],
    card: 'place',
  },
  {
    name: 'places',
    data: 'places',
    zIndex: 30,
    options: { renderer: 'primitive', minLevel: 6, vectorProperties: aboveTheGround },
    declarativeStyle: {
      ...white,
      color: {
        conditions: [
          ['${capital} === true', css(accent)],
          ['true', css(town.color)],
        ],
      },
      pointSize: {
        conditions: [
          ['${capital} === true', capital.pointSize],
          ['true', town.size],
        ],
      },
      pointOutlineWidth: {
        conditions: [
          ['${capital} === true', capital.pointOutlineWidth],
          ['true', '1'],
        ],
      },
    },
    legend: [circle('demo.place', town.color, 3)],
    card: 'place',
  },
];
