import { placedLabels } from '@platen/contract/placed-labels';
import { fieldType, type AttributeStatistics, type FieldType } from '../kit/attribute-statistics.ts';
import type { Layer, Layers } from '../features/layers.ts';

/** A layer in the tiles, as in TileJSON 3.0. */
interface VectorLayer {
  readonly id: string;
  readonly description: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly fields: Record<string, string>;
}

/** What the options of the job add. */
export interface ArchiveNotes {
  readonly description?: string | undefined;
  readonly attribution?: string | undefined;
  /** Attributes of clusters by name; undefined: points are not clustered. */
  readonly cluster?: { readonly aggregates: Readonly<Record<string, unknown>> } | undefined;
  /** Undefined: labels were not placed. */
  readonly labels?: object | undefined;
}

/** The attributes that labelled points have. */
function labelFields({ holdsLabels }: Layer): Record<string, FieldType> {
  return { [placedLabels.zoom]: 'Number', ...(holdsLabels && { [placedLabels.only]: 'Boolean' }) };
}

export interface TilesetSummary {
  readonly name: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  readonly center: readonly [number, number, number];
}

function vectorLayersOf(
  layers: readonly Layer[],
  { minZoom, maxZoom }: TilesetSummary,
  { cluster, labels }: ArchiveNotes,
): VectorLayer[] {
  return layers.map((layer) => {
    const clusterAttributes =
      cluster === undefined || layer.geometries.Point === 0 ? {} : clusterFields(cluster);
    const fields = [...layer.attributes.values()].map((field) => [field.name, fieldType(field)]);
    const labelAttributes = labels === undefined || layer.geometries.Point === 0 ? {} : labelFields(layer);
    return {
      id: layer.name,
      description: '',
      minzoom: Math.min(maxZoom, Math.max(minZoom, layer.minZoom)),
      maxzoom: Math.min(maxZoom, layer.maxZoom),
      fields: {
        ...(Object.fromEntries(fields) as Record<string, string>),
        ...clusterAttributes,
        ...labelAttributes,
      },
    };
  });
}

/** The attributes that geo/mvt/cluster-record.ts adds to clusters. */
function clusterFields({ aggregates }: NonNullable<ArchiveNotes['cluster']>): Record<string, FieldType> {
  const aggregateFields = Object.keys(aggregates).map((name): [string, FieldType] => [name, 'Number']);
  return { cluster: 'Boolean', point_count: 'Number', ...Object.fromEntries(aggregateFields) };
}

/** PMTiles v3, "JSON Metadata", with the `tilestats` of mapbox-geostats. */
export function metadataOf(
  layers: Layers,
  summary: TilesetSummary,
  notes: ArchiveNotes,
): Record<string, unknown> {
  const used = [...layers.values()].filter((layer) => layer.features > 0);
  return {
    name: summary.name,
    ...(notes.description === undefined ? {} : { description: notes.description }),
    ...(notes.attribution === undefined ? {} : { attribution: notes.attribution }),
    type: 'overlay',
    format: 'pbf',
    version: '1',
    generator: 'platen',
    minzoom: summary.minZoom,
    maxzoom: summary.maxZoom,
    bounds: summary.bounds.join(','),
    center: summary.center.join(','),
    vector_layers: vectorLayersOf(used, summary, notes),
    tilestats: { layerCount: used.length, layers: used.map(layerStatistics) },
  };
}

function layerStatistics(layer: Layer): Record<string, unknown> {
  const geometry = Object.entries(layer.geometries).toSorted((a, b) => b[1] - a[1])[0]![0];
  const attributes = [...layer.attributes.values()];
  return {
    layer: layer.name,
    count: layer.features,
    geometry,
    attributeCount: attributes.length,
    attributes: attributes.map(attributeStatistics),
  };
}

function attributeStatistics(field: AttributeStatistics): Record<string, unknown> {
  const type =
    field.types === 1 ? 'number' : field.types === 2 ? 'boolean' : field.types === 4 ? 'string' : 'mixed';
  return {
    attribute: field.name,
    count: field.values.size,
    type,
    values: [...field.values],
    ...(field.min <= field.max ? { min: field.min, max: field.max } : {}),
  };
}
