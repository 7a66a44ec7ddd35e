import type { FeaturePlace } from '@platen/formats/feature/feature';
import type { JobContext } from '../job-type.ts';
import type { AttributeType } from './coerce.ts';
import type { NamedExpression } from './compile-layer.ts';
import { mostAttributes } from './modelled-feature.ts';

/** What keeps features of one file from becoming all that the options ask for: counted, with the first as examples. */
export interface Troubles {
  /** Where the feature at hand lies. */
  place: () => FeaturePlace;
  /** `given` is nothing that the type has. */
  typeMismatch(attribute: string, type: AttributeType, given: unknown): void;
  /** So many attributes of the feature were left out, as the layer has too many. */
  tooManyAttributes(count: number, attribute: string): void;
  expressionFailed(expression: NamedExpression, error: unknown): void;
}

/** Places and messages are dear, and the runner keeps no more. */
const mostExamples = 20;
const longestExample = 200;

export function createTroubles(layer: string, file: string, warn: JobContext['warn']): Troubles {
  const told = new Map<string, number>();
  /** Undefined where there have been enough of it. */
  const exampleOf = (key: string, data: () => object): Record<string, unknown> | undefined => {
    const times = told.get(key) ?? 0;
    if (times >= mostExamples) return undefined;
    told.set(key, times + 1);
    return { file, layer, ...data(), ...troubles.place() };
  };
  const troubles: Troubles = {
    place: () => ({ feature: 0 }),
    typeMismatch(attribute, type, given) {
      const example = exampleOf(`type ${attribute}`, () => ({ attribute, value: excerptOf(given) }));
      const message = `Values of the attribute "${attribute}" that are no ${type} were left out.`;
      warn('typeMismatch', message, example);
    },
    tooManyAttributes(count, attribute) {
      const example = exampleOf('tooMany', () => ({ attribute: excerptOf(attribute) }));
      const message = `The layer "${layer}" has more than ${mostAttributes} attributes; further ones were left out. Name those to keep in modelOptions.include.`;
      warn('tooManyAttributes', message, example, count);
    },
    expressionFailed({ name, consequence }, error) {
      const reason = String(excerptOf(error instanceof Error ? error.message : error));
      const example = exampleOf(`expression ${name}`, () => ({ expression: name, reason }));
      warn('expressionFailed', `For some features ${name} failed, and ${consequence}: ${reason}`, example);
    },
  };
  return troubles;
}

function excerptOf(value: unknown): unknown {
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : value;
  return typeof text === 'string' && text.length > longestExample
    ? `${text.slice(0, longestExample)}…`
    : text;
}
