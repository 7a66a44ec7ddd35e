import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import type { JobContext } from '../job-type.ts';
import { compileLayers } from './compile-layer.ts';
import { createLayerMaker, type LayerMaker } from './layer-maker.ts';
import { isSourceOf, layerNameOf, type SourceName } from './layer-name.ts';
import type { ModelOptions } from './model-options.ts';
import { createModelLayer, type ModelLayer, type VisitModelled } from './modelled-feature.ts';

/** What the options make of features, between their reader and whatever takes them. */
export interface FeatureModel {
  /**
   * What becomes of the features of one source; ask once per source, not per feature.
   * @param source none of the layers may be made of it: then nothing is visited
   */
  layersFor(source: SourceName): SourceModel;
}

export interface SourceModel {
  /** The layers that its features may go into. */
  readonly layers: readonly ModelLayer[];
  /** Visits what becomes of a feature: once for each layer that takes it. Features without geometry pass as well. */
  apply(feature: Feature, place: () => FeaturePlace, visit: VisitModelled): void;
}

/**
 * From plain data, so that each thread can make its own. Warns of `expressionFailed`, `typeMismatch` and
 * `tooManyAttributes` while it is used.
 * @throws JobFailure `invalidExpression`, `invalidOption`, `zoomRange`, with a JSON pointer into the job's options
 */
export async function compileModel(
  options: ModelOptions,
  { warn }: Pick<JobContext, 'warn'>,
): Promise<FeatureModel> {
  const rules = await compileLayers(options);
  const layers = new Map<string, ModelLayer>();
  const layerCalled = (name: string): ModelLayer => {
    let layer = layers.get(name);
    if (layer === undefined) layers.set(name, (layer = createModelLayer(name)));
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
            layer: layerCalled(name),
            labelLayer: label === undefined ? undefined : layerCalled(label),
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

/** The options' `source`s that are none of these. */
export function unknownSources({ layers = [] }: ModelOptions, sources: readonly SourceName[]): string[] {
  return layers.flatMap(({ source }) =>
    source === undefined || sources.some((it) => isSourceOf(source, it)) ? [] : [source],
  );
}
