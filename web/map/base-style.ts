import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';

/** The tokens of `main.css` that maps use. */
export const mapTokens = [
  'map-water',
  'map-land',
  'map-coast',
  'map-border',
  'map-label',
  'map-halo',
  'ink',
  'vivid',
  'signal',
  'accent',
  'raised',
] as const;
export type MapColours = Readonly<Record<(typeof mapTokens)[number], string>>;

/** Sources and layers drawn on the base map. Their names may not begin with `world`. */
export interface Overlay {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  readonly layers: readonly LayerSpecification[];
}

interface BaseOptions {
  readonly colours: MapColours;
  readonly language: 'en' | 'de';
  readonly isGlobe: boolean;
  /** The service's origin; workers do not know the page's. */
  readonly origin: string;
}

const world = (id: string, sourceLayer: string) => ({ id, source: 'world', 'source-layer': sourceLayer });

/** The map style: our own world tiles in the interface's colours, the overlay, and labels on top. */
export function baseStyle(
  { colours, language, isGlobe, origin }: BaseOptions,
  overlay: Overlay,
): StyleSpecification {
  return {
    version: 8,
    projection: { type: isGlobe ? 'globe' : 'mercator' },
    sources: {
      world: {
        type: 'vector',
        tiles: [`${origin}/basemap/world-lines/{z}/{x}/{y}.mvt`],
        minzoom: 0,
        maxzoom: 5,
      },
      ...overlay.sources,
    },
    layers: [
      { id: 'world-water', type: 'background', paint: { 'background-color': colours['map-water'] } },
      {
        ...world('world-land', 'land'),
        type: 'fill',
        paint: { 'fill-color': colours['map-land'], 'fill-antialias': false },
      },
      {
        ...world('world-rivers', 'rivers'),
        type: 'line',
        paint: { 'line-color': colours['map-coast'], 'line-width': 0.8, 'line-opacity': 0.8 },
      },
      {
        ...world('world-lakes', 'lakes'),
        type: 'fill',
        paint: { 'fill-color': colours['map-water'], 'fill-outline-color': colours['map-coast'] },
      },
      {
        ...world('world-borders', 'borders'),
        type: 'line',
        paint: { 'line-color': colours['map-border'], 'line-width': 1.2 },
      },
      {
        ...world('world-coasts', 'coasts'),
        type: 'line',
        paint: { 'line-color': colours['map-coast'], 'line-width': 0.9 },
      },
      ...overlay.layers,
      ...labels(colours, language),
    ],
  };
}

const capitalRank = 10_000;

function places(id: string, filter: ExpressionSpecification, colours: MapColours): SymbolLayerSpecification {
  return {
    ...world(id, 'places'),
    type: 'symbol',
    filter,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['Geist'],
      'text-size': ['interpolate', ['linear'], ['zoom'], 4, 10.5, 9, 13],
      'text-anchor': 'bottom',
      'text-padding': 6,
      'text-max-width': 8,
      'symbol-sort-key': ['-', 0, ['get', 'rank']],
    },
    paint: { ...halo(colours), 'text-color': colours['ink'], 'text-opacity': 0.85 },
  };
}

const halo = (colours: MapColours) => ({
  'text-halo-color': colours['map-halo'],
  'text-halo-width': 1.6,
  'text-halo-blur': 0.4,
});

/** Without a glyph URL the browser renders labels itself, in the page's font. */
function labels(colours: MapColours, language: 'en' | 'de'): LayerSpecification[] {
  return [
    {
      ...world('world-countries', 'countries'),
      type: 'symbol',
      maxzoom: 7,
      layout: {
        'text-field': ['get', language],
        'text-font': ['Geist'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 1, 11, 6, 14],
        'text-letter-spacing': 0.04,
        'text-max-width': 7,
        'symbol-sort-key': ['-', 0, ['get', 'rank']],
      },
      paint: { ...halo(colours), 'text-color': colours['map-label'] },
    },
    // other towns only where few compete: the tiles do not say how large they are
    { ...places('world-capitals', ['>=', ['get', 'rank'], capitalRank], colours), minzoom: 3 },
    { ...places('world-places', ['<', ['get', 'rank'], capitalRank], colours), minzoom: 7.5 },
  ];
}
