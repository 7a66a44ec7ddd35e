import { createStatistics, type AttributeStatistics } from './attribute-statistics.ts';

/** A layer inside the tiles, and what is known of its features. */
export interface Layer {
  readonly name: string;
  readonly index: number;
  features: number;
  readonly geometries: { Point: number; LineString: number; Polygon: number };
  /** By attribute name. */
  readonly attributes: Map<string, AttributeStatistics>;
}

export interface Layers {
  readonly all: readonly Layer[];
  layerOf(name: string): Layer;
}

export function createLayers(): Layers {
  const all: Layer[] = [];
  return {
    all,
    layerOf(name) {
      const known = all.find((layer) => layer.name === name);
      if (known !== undefined) return known;
      const layer: Layer = {
        name,
        index: all.length,
        features: 0,
        geometries: { Point: 0, LineString: 0, Polygon: 0 },
        attributes: new Map(),
      };
      all.push(layer);
      return layer;
    },
  };
}

export function statisticsOf(layer: Layer, name: string): AttributeStatistics {
  let statistics = layer.attributes.get(name);
  if (statistics === undefined) layer.attributes.set(name, (statistics = createStatistics(name)));
  return statistics;
}

/** The name of a file without folders and endings: `data/roads.geojsonl.gz` is `roads`. */
export function layerNameOf(fileName: string): string {
  const base = fileName
    .replace(/^.*[\\/]/, '')
    .replace(/(?:\.(?:gz|json|geojsonl?|geojsons|ndjson|jsonl?|ndgeojson))+$/i, '');
  return base === '' ? 'layer' : base;
}
