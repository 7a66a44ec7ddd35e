import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import type { JobContext } from '../job-type.ts';
import { compileLayers } from './compile-layer.ts';
import { createLayerMaker, type LayerMaker } from './layer-maker.ts';
import { isSourceOf, layerNameOf, type SourceName } from './layer-name.ts';
import type { CompiledModelOptions, ModelOptions } from './model-options.ts';
import { createModelLayer, type ModelLayer, type VisitModelled } from './modelled-feature.ts';

/** The model options, compiled. Readers pass features through it to whatever consumes them. */
export interface FeatureModel {
  /**
   * Returns the model for one source; call it once per source, not per feature.
   * @param source may match no layer: then no feature is visited
   */
  layersFor(source: SourceName): SourceModel;
}

export interface SourceModel {
  /** The layers that features of this source may go into. */
  readonly layers: readonly ModelLayer[];
  /** Visits the result for a feature once per layer that accepts it, including features without geometry. */
  apply(feature: Feature, place: () => FeaturePlace, visit: VisitModelled): void;
}

/**
 * Takes plain data, so that each thread can compile its own. Reports the warnings `expressionFailed`, `typeMismatch`
 * and
 * `tooManyAttributes` while it is used.
 * @throws JobFailure `invalidExpression`, `invalidOption`, `zoomRange`, with a JSON pointer into the job's options
 */
export async function compileModel(
  options: CompiledModelOptions,
  { warn }: Pick<JobContext, 'warn'>,
): Promise<FeatureModel> {
  const rules = await compileLayers(options);
  const layers = new Map<string, ModelLayer>();
  const layerNamed = (name: string, holdsLabels = false): ModelLayer => {
    let layer = layers.get(name);
    if (layer === undefined) layers.set(name, (layer = createModelLayer(name, holdsLabels)));
    return layer;
  };
  return {
    layersFor(source) {
      const makers = rules
        .filter((it) => it.source === undefined || isSourceOf(it.source, source))
        .map((it): LayerMaker => {
          const name = it.name ?? source.layer ?? layerNameOf(source.file);
          const label = it.labelLayer?.(name);
          return createLayerMaker({
            rules: it,
            layer: layerNamed(name),
            labelLayer: label === undefined ? undefined : layerNamed(label, it.labelAttribute !== undefined),
            file: source.file,
            warn,
          });
        });
      return {
        layers: [...new Set(makers.flatMap((maker) => maker.layers))],
        apply(feature, place, visit) {
          for (const maker of makers) maker.make(feature, place, visit);
        },
      };
    },
  };
}

/** Returns the `source`s in the options that match none of these. */
export function unknownSources({ layers = [] }: ModelOptions, sources: readonly SourceName[]): string[] {
  return layers.flatMap(({ source }) =>
    source === undefined || sources.some((it) => isSourceOf(source, it)) ? [] : [source],
  );
}
