import { matchGlob } from './match-glob.ts';

/** Identifies the source of features. */
export interface SourceName {
  /** The file's name as users know it. */
  readonly file: string;
  /** The layer's name in the input options or in the file; undefined if the format has no layer names. */
  readonly layer: string | undefined;
}

const ending =
  '\\.(?:gz|zip|json|geojsonl?|geojsons|geojsonseq|ndjson|jsonl?|ndgeojson|topojson|fgb|gpkg|shp|csv|tsv|txt|kml|kmz|gml|xml|gpx)';
/** Begins where no other ending stands before. */
const endings = new RegExp(`(?<!${ending})(?:${ending})+$`, 'i');

/** The file's name without folders and extensions: `data/roads.geojsonl.gz` is `roads`. */
export function layerNameOf(fileName: string): string {
  const base = fileName.replace(/^.*[\\/]/, '').replace(endings, '');
  return base === '' ? 'layer' : base;
}

/**
 * Whether the `source` pattern in a layer's options matches this source: its layer name, or its file name with or
 * without extensions.
 */
export function isSourceOf(pattern: string, { file, layer }: SourceName): boolean {
  return (
    (layer !== undefined && matchGlob(pattern, layer)) ||
    matchGlob(pattern, file) ||
    matchGlob(pattern, layerNameOf(file))
  );
}
