import type { SourceFormat } from '../source/source.ts';

/** Every format that features can be read from, loaded when it is needed. */
export const sourceFormats: Readonly<Record<string, () => Promise<SourceFormat>>> = {
  csv: async () => (await import('../csv/format.ts')).csvFormat,
  flatgeobuf: async () => (await import('../flatgeobuf/format.ts')).flatgeobufFormat,
  geojson: async () => (await import('../geojson/format.ts')).geoJsonFormat,
  geopackage: async () => (await import('../geopackage/format.ts')).geopackageFormat,
  gml: async () => (await import('../gml/format.ts')).gmlFormat,
  gpx: async () => (await import('../gpx/format.ts')).gpxFormat,
  kml: async () => (await import('../kml/format.ts')).kmlFormat,
  shapefile: async () => (await import('../shapefile/format.ts')).shapefileFormat,
  topojson: async () => (await import('../topojson/format.ts')).topoJsonFormat,
};
