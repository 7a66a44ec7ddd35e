const byExtension: Readonly<Record<string, string>> = {
  b3dm: 'application/octet-stream',
  cmpt: 'application/octet-stream',
  csv: 'text/csv; charset=utf-8',
  fgb: 'application/octet-stream',
  geojson: 'application/geo+json',
  geojsonl: 'application/geo+json-seq',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  gml: 'application/gml+xml',
  gpkg: 'application/geopackage+sqlite3',
  gz: 'application/gzip',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  i3dm: 'application/octet-stream',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  kml: 'application/vnd.google-earth.kml+xml',
  ktx2: 'image/ktx2',
  las: 'application/vnd.las',
  laz: 'application/vnd.laszip',
  md: 'text/markdown; charset=utf-8',
  mvt: 'application/vnd.mapbox-vector-tile',
  pbf: 'application/vnd.mapbox-vector-tile',
  pdf: 'application/pdf',
  pmtiles: 'application/vnd.pmtiles',
  png: 'image/png',
  pnts: 'application/octet-stream',
  subtree: 'application/octet-stream',
  svg: 'image/svg+xml',
  terrain: 'application/vnd.quantized-mesh',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain; charset=utf-8',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** The media type of a file, guessed from its extension; none is ever a script or a style sheet. */
export function contentTypeOf(key: string): string {
  const extension = /\.([^./]+)$/.exec(key)?.[1]?.toLowerCase();
  const known = extension !== undefined && Object.hasOwn(byExtension, extension);
  return (known && byExtension[extension]) || 'application/octet-stream';
}
