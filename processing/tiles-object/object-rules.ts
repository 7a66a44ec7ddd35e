import type { AttributeValue } from '@platen/formats/city-object/city-object';
import type { JobContext } from '../job-type.ts';
import { attributeValueOf } from '../features/attribute-value.ts';
import { coerce } from '../features/coerce.ts';
import type { ExpressionFeature } from '../features/compile-expression.ts';
import { compileComputed, compileNamedFilter, loadCompiler } from '../features/compile-rules.ts';
import { evaluateOrWarn } from '../features/evaluator.ts';
import { createFeatureWarnings } from '../features/feature-warnings.ts';
import { matchGlob } from '../features/match-glob.ts';
import type { Settings } from './settings.ts';

type Attributes = ReadonlyMap<string, AttributeValue>;

/** An object, or a part that is a feature of its own. */
export interface RuledObject {
  readonly id: string;
  readonly class: string;
  readonly attributes: Attributes;
}

/** Which objects are used, and with which attributes. */
export interface ObjectRules {
  takes(object: RuledObject): boolean;
  /** The attributes to keep, under their final names and in their types, with the computed ones. */
  attributesOf(object: RuledObject): Attributes;
}

interface Source {
  readonly file: string;
  readonly warn: JobContext['warn'];
  /** The number of the object in the file, for warnings. */
  readonly count: () => number;
}

/** @throws JobFailure `invalidExpression` */
export async function createObjectRules(
  {
    include,
    exclude,
    filter: filterSource,
    computed: computedSources,
    types,
  }: Pick<Settings, 'include' | 'exclude' | 'filter' | 'computed' | 'types'>,
  { file, warn, count }: Source,
): Promise<ObjectRules> {
  const hasExpressions = filterSource !== undefined || Object.keys(computedSources).length > 0;
  const compiler = await loadCompiler(hasExpressions);
  const at = '/modelOptions';
  const filter =
    filterSource === undefined
      ? undefined
      : compileNamedFilter(filterSource, { name: 'the filter', at, compiler: compiler! });
  const computed = compiler === undefined ? [] : compileComputed(computedSources, { at, compiler });
  const warnings = createFeatureWarnings(file, file, warn);
  warnings.place = () => ({ feature: count() });

  const isKept = keeperOf(include, exclude);
  const hasTypes = Object.keys(types).length > 0;
  const keepsAll = include.length + exclude.length + computed.length === 0 && !hasTypes;
  const put = (attributes: Map<string, AttributeValue>, name: string, value: AttributeValue): void => {
    const type = hasTypes && Object.hasOwn(types, name) ? types[name] : undefined;
    const converted = type === undefined ? value : coerce(value, type);
    if (converted === undefined) warnings.typeMismatch(name, type!, value);
    else if (converted !== Infinity && converted !== -Infinity) attributes.set(name, converted);
  };
  return {
    takes: (object) => filter === undefined || evaluateOrWarn(filter, featureOf(object), warnings) === true,
    attributesOf(object) {
      if (keepsAll && isFinal(object.attributes)) return object.attributes;
      const attributes = new Map<string, AttributeValue>();
      object.attributes.forEach((value, name) => {
        if (keepsAll || isKept(name)) put(attributes, finalName(name), value);
      });
      if (computed.length === 0) return attributes;
      const feature = featureOf(object);
      for (const expression of computed) {
        const name = finalName(expression.name);
        attributes.delete(name);
        const value = attributeValueOf(evaluateOrWarn(expression, feature, warnings));
        if (value !== undefined) put(attributes, name, value);
      }
      return attributes;
    },
  };
}

/** What expressions see: the class is an attribute, too, as it is in the tiles. */
function featureOf({ id, class: name, attributes }: RuledObject): ExpressionFeature {
  return { type: 'Polygon', id, properties: { class: name, ...Object.fromEntries(attributes) } };
}

/** Attributes that match a pattern of `include`, if there is any, and none of `exclude`. */
function keeperOf(include: readonly string[], exclude: readonly string[]): (name: string) => boolean {
  const matches = (patterns: readonly string[], name: string): boolean =>
    patterns.some((pattern) => matchGlob(pattern, name));
  return (name) => (include.length === 0 || matches(include, name)) && !matches(exclude, name);
}

/** What every feature has; attributes of this name get another one. */
const otherNames = new Map([
  ['id', 'attribute.id'],
  ['class', 'attribute.class'],
]);

/** Whether names and values are what they shall be. */
function isFinal(attributes: Attributes): boolean {
  let areFinal = otherNames.keys().every((name) => !attributes.has(name));
  // pairs of entries would be objects
  attributes.forEach((value) => {
    if (value === Infinity || value === -Infinity) areFinal = false;
  });
  return areFinal;
}

const finalName = (name: string): string => otherNames.get(name) ?? name;
