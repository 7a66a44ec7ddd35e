import { placedLabels } from '@platen/contract/placed-labels';
import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { FeaturePlace, VisitFeature } from '@platen/formats/feature/feature';
import type { KeyTable } from '@platen/geo/mvt/attributes';
import type { BuildOptions, BuiltShape } from '@platen/geo/shape/build-shape';
import type { SourceModel } from '../features/compile-model.ts';
import type { ModelLayer, ModelledFeature } from '../features/modelled-feature.ts';
import type { RejectFeature } from '../features/rejected-feature.ts';
import { shapeTypes } from '../features/shape-types.ts';
import type { JobContext } from '../job-type.ts';
import { countValue, type AttributeStatistics } from '../kit/attribute-statistics.ts';
import { tileIdFor } from './feature-id.ts';
import { layerOf, statisticsOf, type Layer, type Layers } from '../features/layers.ts';
import type { RecordWriter } from './record-writer.ts';

export interface IngestCounts {
  read: number;
  used: number;
  /** Excluded by the options' filters. */
  notWanted: number;
}

export function noCounts(): IngestCounts {
  return { read: 0, used: 0, notWanted: 0 };
}

export interface IngestOptions {
  /** The name of the file, for messages. */
  readonly file: string;
  readonly model: SourceModel;
  readonly layers: Layers;
  readonly counts: IngestCounts;
  readonly keys: KeyTable;
  readonly layerNumbers: KeyTable;
  readonly writer: RecordWriter;
  readonly build: BuildOptions;
  /** The attribute whose text is the label of a feature; undefined: labels are not placed. */
  readonly labelAttribute: string | undefined;
  readonly warn: JobContext['warn'];
  readonly reject: RejectFeature;
  /** Called for a geometry with invalid coordinates. */
  readonly onInvalid: (geometry: GeometryBuffer) => void;
}

const typeNames = ['', 'Point', 'LineString', 'Polygon'] as const;

/** A layer with the numbers that this part uses for its attributes. */
interface KnownLayer {
  readonly number: number;
  readonly layer: Layer;
  /** By the index of the attribute's slot. */
  readonly attributes: ({ readonly key: number; readonly statistics: AttributeStatistics } | undefined)[];
}

/**
 * Creates the visitor for one file's features: it writes them as records, and counts and reports those it cannot use.
 */
export function createIngest({
  file,
  model,
  layers,
  counts,
  keys,
  layerNumbers,
  writer,
  build,
  labelAttribute,
  warn,
  reject,
  onInvalid,
}: IngestOptions): VisitFeature {
  const known = new Map<ModelLayer, KnownLayer>();
  const knownLayer = (modelled: ModelLayer): KnownLayer => {
    let found = known.get(modelled);
    if (found === undefined) {
      const { name, holdsLabels } = modelled;
      const layer = layerOf(layers, name, holdsLabels);
      found = { number: layerNumbers.keyOf(name), layer, attributes: [] };
      known.set(modelled, found);
    }
    return found;
  };
  const begin = (feature: ModelledFeature, { number, layer, attributes }: KnownLayer): void => {
    const { slots, values, minZoom, maxZoom, isIdAttribute } = feature;
    const id = tileIdFor(feature.id);
    writer.begin({ layer: number, id: id?.number, minZoom, maxZoom });
    if (minZoom < layer.minZoom) layer.minZoom = minZoom;
    if (maxZoom > layer.maxZoom) layer.maxZoom = maxZoom;
    // A text id is kept as an attribute, unless one of that name exists or is the source of the id.
    if (id?.text !== undefined && !isIdAttribute) feature.add('id', id.text);
    let hasLabel = false;
    for (let i = 0; i < feature.attributeCount; i++) {
      const { index, name } = slots[i]!;
      const value = values[i]!;
      if (labelAttribute !== undefined) {
        if (name === placedLabels.zoom || name === placedLabels.only) continue;
        if (name === labelAttribute) hasLabel = value !== '';
      }
      let attribute = attributes[index];
      if (attribute === undefined) {
        attribute = { key: keys.keyOf(name), statistics: statisticsOf(layer, name) };
        attributes[index] = attribute;
      }
      countValue(attribute.statistics, value);
      writer.attribute(attribute.key, value);
    }
    if (!hasLabel || !isSinglePoint(feature)) return;
    if (layer.holdsLabels) writer.attribute(keys.keyOf(placedLabels.only), true);
    // The zoom is not known before all features are.
    writer.attribute(keys.keyOf(placedLabels.zoom), 0);
  };

  const report = ({ shape, brokenParts, longEdges, beyondMercator }: BuiltShape): void => {
    const example = (): Record<string, unknown> => ({ file, ...placeOf() });
    if (brokenParts > 0 && shape >= 0) {
      const message = `Some parts of a geometry in ${file} have too few positions and were left out.`;
      warn('partlyUsed', message, example());
    }
    if (longEdges > 0) {
      const message = `Edges in ${file} are longer than half the world and run the long way around it. If they should cross the antimeridian, set processing.antimeridian to "shortest".`;
      warn('longEdges', message, example());
    }
    if (beyondMercator > 0) {
      const message = `Points in ${file} beyond 85.05° of latitude were moved to the edge of the map.`;
      warn('beyondMercator', message, example());
    }
  };
  let written = 0;
  let invalid = false;
  let placeOf: () => FeaturePlace;
  const write = (feature: ModelledFeature): void => {
    const into = knownLayer(feature.layer);
    const { geometry } = feature;
    begin(feature, into);
    let parts = 0;
    for (const part of geometry.parts) {
      const type = shapeTypes[part.type];
      const built = writer.write(type, partOf(geometry, part), build);
      report(built);
      if (built.invalidCoordinates) invalid = true;
      if (built.shape < 0) continue;
      parts++;
      into.layer.geometries[typeNames[type] as 'Point']++;
    }
    if (parts === 0) return;
    written++;
    into.layer.features++;
  };

  const hasLayers = model.layers.length > 0;
  return (feature, place) => {
    counts.read++;
    if (feature.problem !== undefined && hasLayers) {
      const code = feature.isBroken === true ? 'brokenRecord' : 'invalidGeometry';
      return reject(code, feature.problem, feature, place);
    }
    written = 0;
    invalid = false;
    placeOf = place;
    let taken = 0;
    const hasGeometry = feature.geometry.parts.length > 0;
    model.apply(feature, place, (modelled) => {
      taken++;
      if (hasGeometry) write(modelled);
    });
    if (written > 0) counts.used++;
    if (taken === 0) counts.notWanted++;
    else if (!hasGeometry) reject('withoutGeometry', 'it has no geometry', feature, place);
    else if (invalid) {
      if (written === 0) {
        onInvalid(feature.geometry);
        return reject('invalidCoordinates', invalidCoordinates, feature, place);
      }
      const message = `Parts of features of ${file} were left out: ${invalidCoordinates}.`;
      warn('partlyUsed', message, { file, ...place() });
    } else if (written === 0) reject('invalidGeometry', tooFewPositions, feature, place);
  };
}

function isSinglePoint({ geometry: { parts } }: ModelledFeature): boolean {
  return parts.length === 1 && parts[0]!.type === 'Point';
}

const invalidCoordinates = 'coordinates are not finite or outside ±540°, ±90°';
const tooFewPositions = 'a line needs 2 positions, a ring 4';

function partOf(
  geometry: GeometryBuffer,
  part: { readonly polygonStart: number; readonly polygonEnd: number },
) {
  return {
    coordinates: geometry.coordinates,
    ringEnds: geometry.ringEnds,
    polygonEnds: geometry.polygonEnds,
    polygonStart: part.polygonStart,
    polygonEnd: part.polygonEnd,
  };
}
