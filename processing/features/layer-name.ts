import { matchGlob } from './match-glob.ts';

/** Where features come from. */
export interface SourceName {
  /** The name people know the file by. */
  readonly file: string;
  /** What the input or the file itself calls the layer; undefined where the format has no name for it. */
  readonly layer: string | undefined;
}

const endings =
  /(?:\.(?:gz|zip|json|geojsonl?|geojsons|geojsonseq|ndjson|jsonl?|ndgeojson|topojson|fgb|gpkg|shp|csv|tsv|txt|kml|kmz|gml|xml|gpx))+$/i;

/** The name of a file without folders and endings: `data/roads.geojsonl.gz` is `roads`. */
export function layerNameOf(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '').replace(endings, '');
  return base === '' ? 'layer' : base;
}

/** Whether `source` of a layer's options means this source: the name of its layer or file, with or without endings. */
export function isSourceOf(pattern: string, { file, layer }: SourceName): boolean {
  return (
    (layer !== undefined && matchGlob(pattern, layer)) ||
    matchGlob(pattern, file) ||
    matchGlob(pattern, layerNameOf(file))
  );
}
