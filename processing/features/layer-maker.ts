import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import { createGeometryBuffer, type GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import type { JobContext } from '../job-type.ts';
import { createAttributeWriter } from './attribute-writer.ts';
import type { LayerRules } from './compile-layer.ts';
import { createEvaluator } from './evaluator.ts';
import { labelPlace } from './label-place.ts';
import { labelPoint } from './label-point.ts';
import type { ModelLayer, ModelledFeature, VisitModelled } from './modelled-feature.ts';
import { selectParts, setPoint } from './select-parts.ts';
import { createFeatureWarnings } from './feature-warnings.ts';

/** Creates the features of one layer and, if configured, of its layer of label points. */
export interface LayerMaker {
  readonly layers: readonly ModelLayer[];
  make(feature: Feature, place: () => FeaturePlace, visit: VisitModelled): void;
}

export interface LayerMakerOptions {
  readonly rules: LayerRules;
  readonly layer: ModelLayer;
  /** Undefined: no label points. */
  readonly labelLayer: ModelLayer | undefined;
  /** For messages. */
  readonly file: string;
  readonly warn: JobContext['warn'];
}

export function createLayerMaker({ rules, layer, labelLayer, file, warn }: LayerMakerOptions): LayerMaker {
  const { geometryTypes, idProperty, minZoom, maxZoom, labelAttribute } = rules;
  const warnings = createFeatureWarnings(layer.name, file, warn);
  const evaluator = createEvaluator(rules, warnings);
  const point = createGeometryBuffer();

  const createFiller = (target: ModelLayer) => {
    const writer = createAttributeWriter(target, rules.attributes, warnings);
    const made: ModelledFeature = {
      layer: target,
      minZoom,
      maxZoom,
      id: undefined,
      isIdAttribute: false,
      geometry: point,
      attributeCount: 0,
      slots: [],
      values: [],
      add: (name, value) => writer.add(name, value, made),
    };
    return (feature: Feature, geometry: GeometryBuffer, firstZoom: number): ModelledFeature => {
      const { properties } = feature;
      made.isIdAttribute = idProperty !== undefined && Object.hasOwn(properties, idProperty);
      made.id = made.isIdAttribute ? properties[idProperty!] : feature.id;
      made.minZoom = firstZoom;
      made.geometry = geometry;
      made.attributeCount = 0;
      writer.copy(feature, made);
      evaluator.compute(writer, made);
      return made;
    };
  };
  const fill = createFiller(layer);
  const fillLabel = labelLayer && createFiller(labelLayer);

  return {
    layers: labelLayer === undefined ? [layer] : [layer, labelLayer],
    make(feature, place, visit) {
      warnings.place = place;
      if (!evaluator.accepts(feature)) return;
      const geometry = selectParts(feature.geometry, geometryTypes);
      if (geometry === undefined) return;
      const firstZoom = evaluator.firstZoom();
      if (firstZoom > maxZoom) return;
      const made = fill(feature, geometry, firstZoom);
      const isLabelled = labelAttribute === undefined || hasText(made, labelAttribute);
      visit(made);
      if (fillLabel === undefined || !isLabelled) return;
      const label = labelAttribute === undefined ? labelPoint(geometry) : labelPlace(geometry);
      if (label !== undefined) visit(fillLabel(feature, setPoint(point, label), firstZoom));
    },
  };
}

function hasText({ attributeCount, slots, values }: ModelledFeature, attribute: string): boolean {
  for (let i = 0; i < attributeCount; i++) if (slots[i]!.name === attribute) return values[i] !== '';
  return false;
}
