import { darken, formatColour, parseColour } from '@platen/geo/canvas/colour';
import { gridX, gridY, worldSize } from '@platen/geo/tile/world-grid';
import { coloursOf } from './colours.ts';
import {
  kindsOf,
  type DescribedLayer,
  type DescribedTileset,
  type GeometryKind,
} from './described-tileset.ts';

/** MapLibre Style Specification, version 8. */
export interface MaplibreStyle {
  readonly version: 8;
  readonly name: string;
  readonly center: readonly [lon: number, lat: number];
  readonly zoom: number;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly layers: readonly Readonly<Record<string, unknown>>[];
}

const source = 'data';
const growing = (...stops: number[]) => ['interpolate', ['linear'], ['zoom'], ...stops];

/**
 * Generates a style with one colour per layer: polygons below lines below points. It has no labels, because their
 * glyphs
 * would have to come from another host.
 * @param sourceUrl URL of the TileJSON
 */
export function maplibreStyle(tileset: DescribedTileset, sourceUrl: string): MaplibreStyle {
  const { name, layers, attribution, bounds } = tileset;
  const colours = coloursOf(layers.map((layer) => layer.name));
  const drawn = (['Polygon', 'LineString', 'Point'] as const).flatMap((kind) =>
    layers.flatMap((layer, i) => (kindsOf(layer).includes(kind) ? layersOf(layer, kind, colours[i]!) : [])),
  );
  return {
    version: 8,
    name,
    ...startOf(bounds),
    sources: {
      [source]: { type: 'vector', url: sourceUrl, ...(attribution !== undefined && { attribution }) },
    },
    layers: drawn,
  };
}

function layersOf(layer: DescribedLayer, kind: GeometryKind, colour: string): Record<string, unknown>[] {
  const dark = formatColour(darken(parseColour(colour)));
  const common = {
    source,
    'source-layer': layer.name,
    ...(kindsOf(layer).length > 1 && { filter: ['==', ['geometry-type'], kind] }),
  };
  switch (kind) {
    case 'Polygon':
      return [
        {
          id: `${layer.name}-fill`,
          type: 'fill',
          ...common,
          paint: { 'fill-color': colour, 'fill-opacity': 0.45, 'fill-antialias': false },
        },
        {
          id: `${layer.name}-outline`,
          type: 'line',
          ...common,
          layout: { 'line-join': 'round' },
          paint: {
            'line-color': dark,
            'line-opacity': growing(4, 0.4, 14, 0.8),
            'line-width': growing(4, 0.4, 14, 1.2),
          },
        },
      ];
    case 'LineString':
      return [
        {
          id: `${layer.name}-line`,
          type: 'line',
          ...common,
          layout: { 'line-cap': 'round', 'line-join': 'round' },
          paint: { 'line-color': colour, 'line-opacity': 0.9, 'line-width': growing(4, 0.8, 10, 1.5, 16, 4) },
        },
      ];
    case 'Point':
      return [
        {
          id: `${layer.name}-point`,
          type: 'circle',
          ...common,
          paint: {
            'circle-color': colour,
            'circle-opacity': 0.9,
            'circle-radius': growing(0, 1.5, 8, 2.5, 14, 5),
            'circle-stroke-color': '#ffffff',
            'circle-stroke-width': growing(6, 0, 10, 1),
          },
        },
      ];
  }
}

/** Centre and zoom at which a map of about 600 × 400 pixels shows the whole tileset. */
function startOf([west, south, east, north]: DescribedTileset['bounds']) {
  const width = (gridX(west > east ? east + 360 : east) - gridX(west)) / worldSize;
  const height = (gridY(south) - gridY(north)) / worldSize;
  const fitting = Math.log2(Math.min(600 / width, 400 / height) / 512);
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  return {
    center: [round(middle > 180 ? middle - 360 : middle), round((south + north) / 2)],
    zoom: Math.floor(Math.min(16, Math.max(0, fitting)) * 10) / 10,
  } as const;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
