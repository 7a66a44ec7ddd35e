import { createFeature, type Feature } from '@platen/formats/feature/feature';
import { pushPosition, type GeometryType } from '@platen/formats/feature/geometry-buffer';
import type { AttributeValue } from '@platen/geo/mvt/attributes';
import { compileModel } from './compile-model.ts';
import type { SourceName } from './layer-name.ts';
import type { ModelOptions } from './model-options.ts';

type Position = readonly [number, number];

/** Polygons of rings of positions; a line is one ring of one polygon. */
export function makeFeature(
  properties: Record<string, unknown>,
  type: GeometryType = 'Point',
  polygons: readonly (readonly (readonly Position[])[])[] = [[[[8, 47]]]],
): Feature {
  const feature = createFeature();
  feature.properties = properties;
  addPart(feature, type, polygons);
  return feature;
}

export function addPart(
  { geometry }: Feature,
  type: GeometryType,
  polygons: readonly (readonly (readonly Position[])[])[],
): void {
  const polygonStart = geometry.polygonEnds.length;
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [x, y] of ring) pushPosition(geometry, x, y);
      geometry.ringEnds.push(geometry.positionCount);
    }
    geometry.polygonEnds.push(geometry.ringEnds.length);
  }
  geometry.parts.push({ type, polygonStart, polygonEnd: geometry.polygonEnds.length });
}

export interface Made {
  readonly layer: string;
  readonly id: unknown;
  readonly zooms: readonly [number, number];
  readonly types: readonly GeometryType[];
  readonly attributes: Record<string, AttributeValue>;
}

export interface Warned {
  readonly code: string;
  readonly message: string;
  readonly example: Record<string, unknown> | undefined;
  readonly times: number;
}

/** The output features of a model, and its warnings. */
export async function modelFeatures(
  options: ModelOptions,
  features: readonly Feature[],
  source: SourceName = { file: 'data/roads.geojson', layer: undefined },
): Promise<{ made: Made[]; warnings: Warned[] }> {
  const made: Made[] = [];
  const warnings: Warned[] = [];
  const model = await compileModel(options, {
    warn: (code, message, example, times = 1) => warnings.push({ code, message, example, times }),
  });
  const layers = model.layersFor(source);
  for (const [i, feature] of features.entries()) {
    layers.apply(
      feature,
      () => ({ feature: i + 1 }),
      ({ layer, id, minZoom, maxZoom, geometry, attributeCount, slots, values }) => {
        const attributes = slots.slice(0, attributeCount).map(({ name }, at) => [name, values[at]!] as const);
        made.push({
          layer: layer.name,
          id,
          zooms: [minZoom, maxZoom],
          types: geometry.parts.map(({ type }) => type),
          attributes: Object.fromEntries(attributes),
        });
      },
    );
  }
  return { made, warnings };
}
