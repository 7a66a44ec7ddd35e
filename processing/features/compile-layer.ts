import type { GeometryType } from '@platen/formats/feature/geometry-buffer';
import { JobFailure } from '../job-type.ts';
import type { AttributeRules } from './attribute-writer.ts';
import type { AttributeType } from './coerce.ts';
import { pointTo } from './analyse-expression.ts';
import { compileComputed, compileNamedFilter, loadCompiler, type Compiler } from './compile-rules.ts';
import type { CompiledModelOptions, LayerOptions } from './model-options.ts';
import type { NamedExpression } from './named-expression.ts';

/** The options of one layer, merged with those for all layers. */
export interface LayerRules {
  /** Undefined: the layer is named after its source. */
  readonly name: string | undefined;
  /** Undefined: all sources. */
  readonly source: string | undefined;
  readonly filters: readonly NamedExpression[];
  /** Undefined: all types. */
  readonly geometryTypes: ReadonlySet<GeometryType> | undefined;
  readonly idProperty: string | undefined;
  readonly attributes: AttributeRules;
  readonly computed: readonly NamedExpression[];
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly zoomBy: NamedExpression | undefined;
  /** Undefined: no label points. */
  readonly labelLayer: ((name: string) => string) | undefined;
  /** Only features with a text in this attribute have label points, lines and groups of points too; undefined: all polygons. */
  readonly labelAttribute: string | undefined;
}

/** Deeper than any zoom; stands for "no maximum". */
export const unboundedZoom = 31;

/** @throws JobFailure `invalidExpression`, `invalidOption` */
export async function compileLayers(options: CompiledModelOptions): Promise<LayerRules[]> {
  const { layers } = options;
  const compiler = await loadCompiler([options, ...(layers ?? [])].some(hasExpression));
  if (layers === undefined) {
    return [compileLayer(options, { options: {}, name: options.layerName, pointer: undefined, compiler })];
  }
  return layers.map((layer, i) =>
    compileLayer(options, { options: layer, name: layer.name, pointer: `${root}/layers/${i}`, compiler }),
  );
}

const root = '/modelOptions';

function hasExpression({ filter, attributes, zoomBy }: Partial<LayerOptions>): boolean {
  return filter !== undefined || zoomBy !== undefined || Object.keys(attributes ?? {}).length > 0;
}

interface LayerSource {
  readonly options: Partial<LayerOptions>;
  readonly name: string | undefined;
  /** Undefined: the options at the root describe the only layer. */
  readonly pointer: string | undefined;
  readonly compiler: Compiler | undefined;
}

function compileLayer(
  common: CompiledModelOptions,
  { options, name, pointer = root, compiler }: LayerSource,
): LayerRules {
  const { minZoom = 0, maxZoom = unboundedZoom, zoomBy, rename = {} } = options;
  const { labelAttribute } = common;
  const { labelPoints = labelAttribute !== undefined } = options;
  if (minZoom > maxZoom) {
    throw new JobFailure('zoomRange', `${pointer}/minZoom: ${minZoom} is above maxZoom (${maxZoom}).`);
  }
  checkNewNames(rename, pointTo(pointer, 'rename'));
  const suffix = name === undefined ? '' : ` of layer "${name}"`;
  const filters = [
    { source: common.filter, at: root },
    { source: options.filter, at: pointer },
  ].flatMap(({ source, at }) =>
    source === undefined
      ? []
      : [compileNamedFilter(source, { name: `the filter${suffix}`, at, compiler: compiler! })],
  );
  const computed = new Map<string, NamedExpression>();
  for (const [group, at] of [
    [common, root],
    [options, pointer],
  ] as const) {
    if (group.attributes === undefined) continue;
    for (const expression of compileComputed(group.attributes, { at, compiler: compiler! }))
      computed.set(expression.name, expression);
  }
  return {
    name,
    source: options.source,
    filters,
    geometryTypes: typesOf(options.geometryTypes),
    idProperty: options.idProperty ?? common.idProperty,
    attributes: {
      include: intersection(common.include, options.include),
      exclude: new Set([...(common.exclude ?? []), ...(options.exclude ?? [])]),
      rename: new Map(Object.entries(rename)),
      types: new Map(Object.entries({ ...common.types, ...options.types }) as [string, AttributeType][]),
      computed: new Set(computed.keys()),
    },
    computed: [...computed.values()],
    minZoom,
    maxZoom,
    zoomBy:
      zoomBy === undefined
        ? undefined
        : {
            name: `zoomBy${suffix}`,
            consequence: "they begin at the layer's lowest zoom",
            evaluate: compiler!.compileExpression(zoomBy, 'number', `${pointer}/zoomBy`),
          },
    labelLayer: labelLayerOf(labelPoints),
    labelAttribute,
  };
}

function labelLayerOf(labelPoints: NonNullable<LayerOptions['labelPoints']>): LayerRules['labelLayer'] {
  if (labelPoints === false) return undefined;
  return labelPoints === true ? (name) => `${name}_labels` : () => labelPoints.layer;
}

function typesOf(types: LayerOptions['geometryTypes']): ReadonlySet<GeometryType> | undefined {
  if (types === undefined) return undefined;
  return new Set(types.flatMap((type) => [type, `Multi${type}`] as GeometryType[]));
}

function intersection(
  some: readonly string[] | undefined,
  others: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (some === undefined || others === undefined) {
    const names = some ?? others;
    return names === undefined ? undefined : new Set(names);
  }
  return new Set(some).intersection(new Set(others));
}

function checkNewNames(rename: Readonly<Record<string, string>>, pointer: string): void {
  const taken = new Map<string, string>();
  for (const [from, to] of Object.entries(rename)) {
    const other = taken.get(to);
    if (other !== undefined) {
      const message = `"${other}" and "${from}" cannot both be called "${to}".`;
      throw new JobFailure('invalidOption', `${pointTo(pointer, from)}: ${message}`);
    }
    taken.set(to, from);
  }
}
