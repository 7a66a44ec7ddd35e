import type { JobWarning } from '@platen/contract/jobs';
import type { TSchema } from 'typebox';

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
}

/** Codes of warnings about parameters, issued before a job exists. */
export const parameterWarningCodes = ['unknownParameter', 'unknownType'] as const;

const maxExamples = 20;

/** Finds keys, and values of `@type`, that a schema does not know, as warnings with their pointers. */
export function findUnknown(schema: TSchema, value: unknown): JobWarning[] {
  const keys: string[] = [];
  const types: string[] = [];
  walk(schema as Shape, value, '', { keys, types });
  return [
    ...warningOf(
      'unknownParameter',
      'These parameters are not known to the job type and have no effect.',
      keys,
    ),
    ...warningOf(
      'unknownType',
      'These values of @type are not known to the job type and have no effect.',
      types,
    ),
  ];
}

interface UnknownKeys {
  readonly keys: string[];
  readonly types: string[];
}

function walk(shape: Shape, value: unknown, pointer: string, found: UnknownKeys): void {
  if (value === null || typeof value !== 'object') return;
  const fitting = variantFor(shape, value);
  if (!fitting) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      walk(fitting.items ?? {}, item, `${pointer}/${index}`, found);
    return;
  }
  if (!fitting.properties) return; // free-form
  for (const [key, part] of Object.entries(value)) {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key === '@type') found.types.push(place);
    else if (!Object.hasOwn(fitting.properties, key)) found.keys.push(place);
    else walk(fitting.properties[key]!, part, place, found);
  }
}

/** The variant of a union that a value belongs to: a list, or the object with the same `type`. */
function variantFor(shape: Shape, value: object): Shape | undefined {
  if (!shape.anyOf) return shape;
  for (const variant of shape.anyOf) {
    if (variant.anyOf) {
      const inner = Array.isArray(value) ? undefined : variantFor(variant, value);
      if (inner) return inner;
    } else if (Array.isArray(value) ? variant.type === 'array' : isOfType(variant, value)) {
      return variant;
    }
  }
  return undefined;
}

function isOfType({ type, properties }: Shape, value: object): boolean {
  const named = properties?.['type']?.const;
  return type === 'object' && (named === undefined || named === (value as { type?: unknown }).type);
}

function warningOf(
  code: (typeof parameterWarningCodes)[number],
  message: string,
  places: readonly string[],
): JobWarning[] {
  if (places.length === 0) return [];
  const examples = places
    .slice(0, maxExamples)
    .map((place) => ({ pointer: `/parameters${place}`.slice(0, 500) }));
  return [{ code, message, count: places.length, examples }];
}
