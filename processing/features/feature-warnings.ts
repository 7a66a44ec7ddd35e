import type { FeaturePlace } from '@platen/formats/feature/feature';
import type { JobContext } from '../job-type.ts';
import type { AttributeType } from './coerce.ts';
import { maxAttributes } from './modelled-feature.ts';
import type { NamedExpression } from './named-expression.ts';

/** Counts the features of one file that could not follow all options, with the first ones as examples. */
export interface FeatureWarnings {
  /** The position of the current feature in its file. */
  place: () => FeaturePlace;
  /** The value `given` cannot be converted to the type. */
  typeMismatch(attribute: string, type: AttributeType, given: unknown): void;
  /** `count` attributes of the feature were dropped because the layer has too many. */
  tooManyAttributes(count: number, attribute: string): void;
  expressionFailed(expression: NamedExpression, error: unknown): void;
}

/** The runner keeps no more examples, and building them is expensive. */
const maxExamples = 20;
const maxExampleLength = 200;

export function createFeatureWarnings(
  layer: string,
  file: string,
  warn: JobContext['warn'],
): FeatureWarnings {
  const counts = new Map<string, number>();
  /** Returns undefined once there are enough examples. */
  const exampleOf = (key: string, data: () => object): Record<string, unknown> | undefined => {
    const times = counts.get(key) ?? 0;
    if (times >= maxExamples) return undefined;
    counts.set(key, times + 1);
    return { file, layer, ...data(), ...warnings.place() };
  };
  const warnings: FeatureWarnings = {
    place: () => ({ feature: 0 }),
    typeMismatch(attribute, type, given) {
      const example = exampleOf(`type ${attribute}`, () => ({ attribute, value: excerptOf(given) }));
      const message = `Values of the attribute "${attribute}" cannot be converted to ${type} and were left out.`;
      warn('typeMismatch', message, example);
    },
    tooManyAttributes(count, attribute) {
      const example = exampleOf('tooMany', () => ({ attribute: excerptOf(attribute) }));
      const message = `The layer "${layer}" has more than ${maxAttributes} attributes; further ones were left out. Name those to keep in modelOptions.include.`;
      warn('tooManyAttributes', message, example, count);
    },
    expressionFailed({ name, consequence }, error) {
      const reason = String(excerptOf(error instanceof Error ? error.message : error));
      const example = exampleOf(`expression ${name}`, () => ({ expression: name, reason }));
      warn('expressionFailed', `For some features ${name} failed, and ${consequence}: ${reason}`, example);
    },
  };
  return warnings;
}

function excerptOf(value: unknown): unknown {
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : value;
  return typeof text === 'string' && text.length > maxExampleLength
    ? `${text.slice(0, maxExampleLength)}…`
    : text;
}
