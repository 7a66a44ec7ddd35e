import type { SourceFormat } from './source.ts';

/** Every format that features can be read from, loaded when it is needed. */
export const sourceFormats: Readonly<Record<string, () => Promise<SourceFormat>>> = {
  geojson: async () => (await import('../geojson/format.ts')).geoJsonFormat,
  csv: async () => (await import('../csv/format.ts')).csvFormat,
  shapefile: async () => (await import('../shapefile/format.ts')).shapefileFormat,
};
