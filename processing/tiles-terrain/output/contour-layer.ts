import { contourLayer, indexEvery, type ContourFeature } from '@platen/geo/terrain/contour-tile';
import { layerOf, statisticsOf, type Layers } from '../../features/layers.ts';
import { countValue } from '../../kit/attribute-statistics.ts';
import type { MaplibreStyle } from '../../tile-style/maplibre-style.ts';
import type { VcMapStyle } from '../../tile-style/vc-map-style.ts';

/** Counts contour lines of the highest zoom, all of a tile and a height as one. */
export function countContours(layers: Layers, features: readonly ContourFeature[], zoom: number): void {
  if (features.length === 0) return;
  const layer = layerOf(layers, contourLayer);
  layer.features += features.length;
  layer.geometries.LineString += features.length;
  layer.minZoom = 0;
  layer.maxZoom = zoom;
  for (const { elevation, isIndex } of features) {
    countValue(statisticsOf(layer, 'elevation'), elevation);
    countValue(statisticsOf(layer, 'isIndex'), isIndex);
  }
}

const line = '#a5682a';
const text = '#7a4a18';
const byIndex = (index: unknown, others: unknown) => ['case', ['get', 'isIndex'], index, others];

/** A style with brown lines, of which index contours are thicker and have their height beside them. */
export function contourMaplibreStyle(style: MaplibreStyle): MaplibreStyle {
  const common = { source: Object.keys(style.sources)[0]!, 'source-layer': contourLayer };
  return {
    ...style,
    layers: [
      {
        id: `${contourLayer}-line`,
        type: 'line',
        ...common,
        layout: { 'line-join': 'round' },
        paint: { 'line-color': line, 'line-opacity': byIndex(0.9, 0.6), 'line-width': byIndex(1.4, 0.7) },
      },
      {
        id: `${contourLayer}-label`,
        type: 'symbol',
        ...common,
        filter: ['get', 'isIndex'],
        layout: {
          'symbol-placement': 'line',
          'symbol-spacing': 300,
          'text-field': ['concat', ['to-string', ['get', 'elevation']], ' m'],
          'text-font': ['Noto Sans Regular'],
          'text-size': 11,
        },
        paint: { 'text-color': text, 'text-halo-color': '#ffffff', 'text-halo-width': 1.5 },
      },
    ],
  };
}

/** The same for VC Map. */
export const contourVcMapStyle: VcMapStyle = {
  type: 'DeclarativeStyleItem',
  properties: { hasLineLabels: true },
  declarativeStyle: {
    color: {
      conditions: [
        ['${isIndex} === true', `color('${line}', 0.9)`],
        ['true', `color('${line}', 0.6)`],
      ],
    },
    strokeWidth: {
      conditions: [
        ['${isIndex} === true', '2'],
        ['true', '1'],
      ],
    },
    labelText: {
      conditions: [
        ['${isIndex} === true', "String(${elevation}) + ' m'"],
        ['true', "''"],
      ],
    },
    font: "'11px sans-serif'",
    labelColor: `color('${text}')`,
    labelOutlineColor: "color('#ffffff')",
    labelOutlineWidth: '3',
    labelStyle: '2', // filled, with an outline
    anchorLineEnabled: 'false',
  },
};

/**
 * Of how many lines a zoom shows one: one at the highest, then one in 5, 25 … as cells grow. Lines of gentle ground, which lie
 * far apart, stay as long as slopes of 40 % have one to a cell.
 */
export function contourStep(zoom: number, { highestZoom, interval, cellMetres }: ContourZooms): number {
  const wanted = Math.min((interval * 2 ** (highestZoom - zoom)) / 2, 0.4 * cellMetres);
  let step = 1;
  while (step * interval < wanted) step *= indexEvery;
  return step;
}

export interface ContourZooms {
  readonly highestZoom: number;
  /** Metres from line to line. */
  readonly interval: number;
  /** Metres that a cell of the zoom is wide at the equator. */
  readonly cellMetres: number;
}
