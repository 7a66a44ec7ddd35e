import type { DatasourceType } from '@platen/contract/datasource-types';
import type { DatasourceProbe } from '@platen/contract/datasource-probe';
import type { NewDatasource } from '@platen/contract/datasources';
import type { Inspection } from '@platen/contract/inspect';
import { unionOf, type Bounds } from '../map/bounds.ts';
import { isDatasourceType } from './type-names.ts';

/** Below this confidence, a use describes what the data could become rather than what it already is. */
const minConfidence = 0.5;

/**
 * The type under which the data can be shown without a job; undefined if it must be converted first or is unknown.
 */
export function typeOf({ uses }: Pick<Inspection, 'uses'>): DatasourceType | undefined {
  const fits = uses.filter(
    ({ kind, type, confidence }) =>
      kind === 'datasource' && type !== 'generic' && (confidence >= minConfidence || type === 'geojson'),
  );
  return fits.flatMap(({ type }) => (isDatasourceType(type) ? [type] : []))[0];
}

/** The type to register: one that can be shown, else plain data for download. */
export const typeToRegister = (inspection: Pick<Inspection, 'uses'>): DatasourceType | undefined =>
  typeOf(inspection) ?? (inspection.uses.some(({ type }) => type === 'generic') ? 'generic' : undefined);

/** The job that must convert the data first, if it cannot be shown as it is. */
export function jobBefore({ uses }: Pick<Inspection, 'uses'>): Inspection['uses'][number] | undefined {
  return typeOf({ uses }) === undefined ? uses.find(({ kind }) => kind === 'job') : undefined;
}

/** The extent of all layers as far as known, as the API takes it. */
export function boxOf({ layers }: Pick<Inspection, 'layers'>): Bounds | undefined {
  const box = unionOf(layers.map(({ bbox }) => bbox));
  if (!box) return undefined;
  return [box[0], box[1], box[2] > 180 ? box[2] - 360 : box[2], box[3]];
}

/** Endings of files that say how something is stored, not what it is. */
const endings =
  /(\.(3dm|3tz|7z|asc|bil|bz2|city|cityjsonl?|copc|csv|dae|dem|dt[012]|dxf|e57|fbx|fgb|gdb|geojson(l|seq)?|geopackage|gif|glb|gltf|gml|gpkg|gpx|grd|gz|hgt|ifc|img|jp2|jpe?g|json(l|seq)?|kml|kmz|las|laz|mbtiles|nd(geo)?json|obj|parquet|ply|pmtiles|png|shp|slpk|sqlite|stl|tar|tgz|tiff?|tsv|txt|vrt|webp|xml|xyz|zip|zst))+$/i;

/** A readable name for a file, without folders and endings. */
export function nameOf(key: string): string {
  const file = key.replace(/\/$/, '').split('/').at(-1) ?? key;
  const stem = file.replace(endings, '');
  const words = (stem || file).replace(/[_\s]+/g, ' ').trim();
  return words.slice(0, 1).toLocaleUpperCase() + words.slice(1);
}

/** The request body that registers a probed service, with the selected layers. */
export function fromProbe(
  probe: DatasourceProbe,
  { name, type, layers }: { name: string; type: DatasourceType; layers: readonly string[] },
): NewDatasource {
  const chosen = probe.layers.filter((layer) => layers.includes(layer.name));
  const box = unionOf(chosen.map(({ bbox }) => bbox)) ?? probe.bbox;
  const options =
    type === 'wms' && layers.length > 0
      ? { layers: layers.join(',') }
      : type === 'wmts' && layers[0] !== undefined
        ? { layer: layers[0] }
        : {};
  return {
    name,
    type,
    typeProperties: { ...(type === probe.type && probe.typeProperties), ...options },
    sourceProperties: { type: 'external', url: probe.url },
    ...(box && { bbox: [...box] }),
  };
}
