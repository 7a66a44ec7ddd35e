import type { FeatureCollection, Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { ringOf } from './bounds.ts';
import type { MapColours, Overlay } from './base-style.ts';

export const noOverlay: Overlay = { sources: {}, layers: [] };

export function joinOverlays(...all: readonly Overlay[]): Overlay {
  return {
    sources: Object.assign({}, ...all.map(({ sources }) => sources)) as Overlay['sources'],
    layers: all.flatMap(({ layers }) => layers),
  };
}

/** Extents as dashed frames; `tint` also fills them lightly. */
export function extentOverlay(
  boxes: readonly (readonly number[])[],
  colours: MapColours,
  { id = 'extent', tint = false }: { id?: string; tint?: boolean } = {},
): Overlay {
  const features = boxes.map((box): Feature => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [ringOf(box)] },
  }));
  const fill: LayerSpecification = {
    id: `${id}-fill`,
    type: 'fill',
    source: id,
    paint: { 'fill-color': colours.vivid, 'fill-opacity': 0.14 },
  };
  return {
    sources: { [id]: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: [
      ...(tint ? [fill] : []),
      {
        id: `${id}-line`,
        type: 'line',
        source: id,
        paint: {
          'line-color': colours.vivid,
          'line-width': 1.4,
          'line-dasharray': [3, 2.5],
          'line-opacity': 0.85,
        },
      },
    ],
  };
}

/** Outlines of areas in one colour, lightly filled. */
export function outlineOverlay(
  features: readonly Feature[],
  { id, colour }: { readonly id: string; readonly colour: string },
): Overlay {
  return {
    sources: { [id]: { type: 'geojson', data: { type: 'FeatureCollection', features: [...features] } } },
    layers: [
      {
        id: `${id}-fill`,
        type: 'fill',
        source: id,
        paint: { 'fill-color': colour, 'fill-opacity': 0.16 },
      },
      { id: `${id}-line`, type: 'line', source: id, paint: { 'line-color': colour, 'line-width': 1.6 } },
    ],
  };
}

/** The outline of a model from above, and the point at which its origin stands. */
export function footprintOverlay(
  ring: readonly (readonly number[])[],
  origin: readonly number[],
  colours: MapColours,
): Overlay {
  const features: Feature[] = [
    {
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: [ring.map((one) => [...one])] },
    },
    { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [...origin] } },
  ];
  const source = 'footprint';
  return {
    sources: { [source]: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
    layers: [
      {
        id: 'footprint-fill',
        type: 'fill',
        source,
        paint: { 'fill-color': colours.vivid, 'fill-opacity': 0.3 },
      },
      { id: 'footprint-line', type: 'line', source, paint: { 'line-color': colours.vivid, 'line-width': 2 } },
      {
        id: 'footprint-origin',
        type: 'circle',
        source,
        filter: ['==', ['geometry-type'], 'Point'],
        paint: {
          'circle-radius': 6,
          'circle-color': colours.vivid,
          'circle-stroke-color': colours['map-halo'],
          'circle-stroke-width': 2,
        },
      },
    ],
  };
}

interface FeatureOptions {
  readonly colours: MapColours;
  /** A colour, or an expression over the features. */
  readonly colour: string | ExpressionSpecification;
  /** The colour of outlines; without it points have a halo, and areas an outline of their own colour. */
  readonly edge?: ExpressionSpecification;
  /** The `id` of the highlighted feature. */
  readonly selected: number | undefined;
  readonly id?: string;
}

/**
 * Features of any geometry, or the URL of a GeoJSON file. Each needs a whole number as `id` to be clickable; see
 * `featureLayerIds`.
 */
export function featureOverlay(
  data: FeatureCollection | string,
  { colours, colour, edge, selected, id = 'features' }: FeatureOptions,
): Overlay {
  const isSelected: ExpressionSpecification = ['==', ['id'], selected ?? -1];
  const choose = (yes: number, no: number): ExpressionSpecification => ['case', isSelected, yes, no];
  const stroke: ExpressionSpecification = ['case', isSelected, colours.ink, edge ?? colours['map-halo']];
  const geometry = (type: string): ExpressionSpecification => ['==', ['geometry-type'], type];
  return {
    sources: { [id]: { type: 'geojson', data, tolerance: 0.2 } },
    layers: [
      {
        id: `${id}-fill`,
        type: 'fill',
        source: id,
        filter: geometry('Polygon'),
        paint: { 'fill-color': colour, 'fill-opacity': choose(0.75, 0.45) },
      },
      {
        id: `${id}-outline`,
        type: 'line',
        source: id,
        filter: geometry('Polygon'),
        paint: {
          'line-color': ['case', isSelected, colours.ink, edge ?? colour],
          'line-width': choose(2.6, 1),
        },
      },
      {
        id: `${id}-line`,
        type: 'line',
        source: id,
        filter: geometry('LineString'),
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': ['case', isSelected, colours.ink, colour], 'line-width': choose(5, 2) },
      },
      {
        id: `${id}-point`,
        type: 'circle',
        source: id,
        filter: geometry('Point'),
        layout: { 'circle-sort-key': choose(1, 0) },
        paint: {
          'circle-radius': [
            'interpolate',
            ['linear'],
            ['zoom'],
            3,
            choose(6, 2.2),
            8,
            choose(9, 4.5),
            14,
            choose(12, 7),
          ],
          'circle-color': colour,
          'circle-stroke-color': stroke,
          'circle-stroke-width': choose(2.5, 1),
        },
      },
    ],
  };
}

export const featureLayerIds = (id = 'features') => [`${id}-point`, `${id}-line`, `${id}-fill`];
