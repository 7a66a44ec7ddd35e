// Runs in the browser, as a part of start.ts: how vector tiles of a base map look. Such archives have no style; the names of
// their layers are those of OpenMapTiles or Protomaps, or anything else.

/** By the names of layers. */
const areas: readonly (readonly [colour: string, names: readonly string[]])[] = [
  ['#b8d2dc', ['water', 'ocean', 'lakes']],
  ['#dde8d3', ['landcover', 'landuse', 'park', 'parks', 'natural', 'green']],
  ['#e2dfd8', ['building', 'buildings']],
  ['#f4f3ef', ['earth', 'land']],
];
const lines: readonly (readonly [colour: string, width: string, names: readonly string[]])[] = [
  ['#9fc0cf', '1.5', ['waterway', 'waterways', 'rivers', 'physical_line']],
  ['#c9c4ba', '1.5', ['transportation', 'roads', 'road', 'streets', 'transit']],
  ['#9a94a6', '1', ['boundary', 'boundaries', 'admin']],
];
/** Points, whose names vector tiles on a globe would cut off. */
const points =
  'place places place_label poi pois poi_label housenumber addresses mountain_peak aerodrome_label water_name transportation_name physical_point'.split(
    ' ',
  );
const otherArea = '#ebe9e3';
const otherLine = '#b5b1a8';

const isOneOf = (names: readonly string[]) => names.map((name) => `\${layer} === '${name}'`).join(' || ');
const colour = (hex: string) => `color('${hex}')`;

/** Calm colours, over which data stand out. */
export function archiveStyle(): object {
  return {
    type: 'DeclarativeStyleItem',
    declarativeStyle: {
      show: `!(${isOneOf(points)})`,
      color: {
        conditions: [
          ...areas.map(([hex, names]) => [isOneOf(names), colour(hex)]),
          ['true', colour(otherArea)],
        ],
      },
      strokeColor: {
        conditions: [
          ...lines.map(([hex, , names]) => [isOneOf(names), colour(hex)]),
          ...areas.map(([hex, names]) => [isOneOf(names), colour(hex)]),
          ['true', colour(otherLine)],
        ],
      },
      strokeWidth: {
        conditions: [...lines.map(([, width, names]) => [isOneOf(names), width]), ['true', '0.5']],
      },
    },
  };
}
