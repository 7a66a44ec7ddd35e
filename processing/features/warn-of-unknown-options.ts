import type { TSchema } from 'typebox';
import type { JobContext } from '../job-type.ts';

/** The keywords of a JSON Schema that are needed here. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * Reports unknown options as the warning `unknownOption` instead of rejecting them, so that tasks written for another
 * server still run. `@type` is allowed anywhere, `input` at the top.
 */
export function warnOfUnknownOptions(schema: TSchema, options: object, warn: JobContext['warn']): void {
  const { input: _input, ...groups } = options as Record<string, unknown>;
  visit(schema as Shape, groups, '', (option) =>
    warn('unknownOption', `The option "${option}" is unknown and has no effect.`, { option }),
  );
}

function visit(shape: Shape, value: unknown, path: string, onUnknown: (path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties, items } = shape.anyOf?.find((it) => it.properties !== undefined) ?? shape;
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const [i, item] of value.entries()) visit(items, item, `${path}[${i}]`, onUnknown);
  } else if (properties !== undefined) {
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (key === '@type') continue;
      if (Object.hasOwn(properties, key)) visit(properties[key]!, inner, at, onUnknown);
      else onUnknown(at);
    }
  }
}
