import type { VisitFeature } from '@platen/formats/feature/feature';
import type { GeometryBuffer, GeometryType } from '@platen/formats/feature/geometry-buffer';
import { usableParts } from '@platen/formats/geojson/write-geometry';
import type { AttributeValue } from '@platen/geo/mvt/attributes';
import type { FeatureModel } from '../features/compile-model.ts';
import type { SourceName } from '../features/layer-name.ts';
import { createRejectCounter, type RejectCounter } from '../kit/reject-counter.ts';
import { rejectMessage, describeRejectedFeature, type RejectFeature } from '../features/rejected-feature.ts';
import type { ModelledFeature } from '../features/modelled-feature.ts';
import type { JobContext } from '../job-type.ts';
import { maxRejects } from '../rejects.ts';
import {
  createFeatureSketches,
  createSeparateSketches,
  type FeatureSketches,
} from '../tile-style/feature-sketch.ts';
import { countValue } from '../kit/attribute-statistics.ts';
import { boundedStatisticsOf, layerOf, type Layer, type Layers } from '../features/layers.ts';
import type { LayerFile } from '../features/layer-files.ts';

/** What was read from one input. */
export interface InputReading {
  read: number;
  used: number;
  notWanted: number;
  /** Whether all features could be used, without a warning. */
  isClean: boolean;
  /** Names of the layers with features of this input, in order of first appearance. */
  readonly layers: Set<string>;
  readonly sources: SourceName[];
}

export const startReading = (): InputReading => ({
  read: 0,
  used: 0,
  notWanted: 0,
  isClean: true,
  layers: new Set(),
  sources: [],
});

/** Writes features into the files of their layers and gathers statistics about them. */
export interface Collection {
  readonly rejects: RejectCounter;
  readonly layers: Layers;
  /** The layer that the datasource is made of; undefined while it has no feature. */
  chosen(): Layer | undefined;
  /** Sketches of the layers that become datasources. */
  readonly sketches: FeatureSketches;
  visitorOf(source: SourceName, reading: InputReading): VisitFeature;
}

interface Options {
  readonly model: FeatureModel;
  readonly add: (layer: string, feature: Parameters<LayerFile['add']>[0]) => boolean;
  readonly reject: JobContext['reject'];
  /** The layer of the datasource; when undefined, the layer of the first feature. */
  readonly datasourceLayer: string | undefined;
  /** Whether all layers become datasources. */
  readonly allLayers: boolean;
  /** Features of other layers are not written. */
  readonly onlyLayers?: ReadonlySet<string> | undefined;
}

/** Longitudes up to here are kept, so that data across the antimeridian is drawn in one piece. */
const maxLongitude = 540;

export function collectLayers({
  model,
  add,
  reject,
  datasourceLayer,
  allLayers,
  onlyLayers,
}: Options): Collection {
  const rejects = createRejectCounter();
  let rejected = 0;
  const layers: Layers = new Map();
  const sketches = allLayers ? createSeparateSketches() : createFeatureSketches();
  let chosen: Layer | undefined;

  /** @returns false if there is no geometry to write */
  const write = (feature: ModelledFeature): boolean => {
    const { geometry } = feature;
    if (usableParts(geometry).length === 0) return false;
    if (onlyLayers?.has(feature.layer.name) === false) return true;
    const properties = propertiesOf(feature);
    if (!add(feature.layer.name, { id: idOf(feature.id), geometry, properties })) return false;
    const layer = layerOf(layers, feature.layer.name);
    if (chosen === undefined && (datasourceLayer === undefined || layer.name === datasourceLayer))
      chosen = layer;
    if (allLayers || layer === chosen) sketches.of(layer.name).add(geometry);
    layer.features++;
    layer.geometries[kinds[geometry.parts[0]!.type]]++;
    for (const name in properties) countValue(boundedStatisticsOf(layer, name), properties[name]!);
    return true;
  };

  return {
    rejects,
    layers,
    chosen: () => chosen,
    sketches,
    visitorOf({ file, layer }, reading) {
      const source = { file, layer };
      reading.sources.push(source);
      const sourceModel = model.layersFor(source);
      const hasLayers = sourceModel.layers.length > 0;
      const rejectFeature: RejectFeature = (code, reason, feature, place) => {
        reading.isClean = false;
        const message = rejectMessage(code, file, reason);
        rejects.add({ code, message, reason, times: 1 });
        const isKept = ++rejected <= maxRejects;
        reject(code, message, isKept ? describeRejectedFeature(source, reason, feature, place) : undefined);
      };
      return (feature, place) => {
        reading.read++;
        if (feature.problem !== undefined && hasLayers) {
          return rejectFeature(
            feature.isBroken === true ? 'brokenRecord' : 'invalidGeometry',
            feature.problem,
            feature,
            place,
          );
        }
        if (hasLayers && !hasUsableCoordinates(feature.geometry))
          return rejectFeature(
            'invalidCoordinates',
            'coordinates are not finite or outside ±540°, ±90°',
            feature,
            place,
          );
        let taken = 0;
        let written = 0;
        sourceModel.apply(feature, place, (modelled) => {
          taken++;
          if (!write(modelled)) return;
          written++;
          reading.layers.add(modelled.layer.name);
        });
        if (written > 0) reading.used++;
        else if (taken === 0) reading.notWanted++;
        else if (feature.geometry.parts.length === 0)
          rejectFeature('withoutGeometry', 'it has no geometry', feature, place);
        else rejectFeature('invalidGeometry', 'a line needs 2 positions, a ring 4', feature, place);
      };
    },
  };
}

const kinds: Readonly<Record<GeometryType, 'Point' | 'LineString' | 'Polygon'>> = {
  Point: 'Point',
  MultiPoint: 'Point',
  LineString: 'LineString',
  MultiLineString: 'LineString',
  Polygon: 'Polygon',
  MultiPolygon: 'Polygon',
};

function propertiesOf({ slots, values, attributeCount }: ModelledFeature): Record<string, AttributeValue> {
  const properties: Record<string, AttributeValue> = {};
  for (let i = 0; i < attributeCount; i++) properties[slots[i]!.name] = values[i]!;
  return properties;
}

function idOf(id: unknown): string | number | undefined {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : undefined;
}

/** Returns false for coordinates that are not finite, too. */
function hasUsableCoordinates({ coordinates, positionCount }: GeometryBuffer): boolean {
  for (let at = 0; at < positionCount * 2; at += 2) {
    if (!(Math.abs(coordinates[at]!) <= maxLongitude && Math.abs(coordinates[at + 1]!) <= 90)) return false;
  }
  return true;
}
