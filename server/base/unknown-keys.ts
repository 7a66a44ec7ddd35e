import type { TSchema } from 'typebox';
import { escapePointer } from './pointer.ts';

/** The parts of a JSON schema that tell which keys it knows. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
}

/** A key that a schema does not name. */
export interface UnknownKey {
  /** Its place in the value. */
  readonly pointer: string;
  readonly key: string;
  /** The keys that the schema names at this place. */
  readonly known: readonly string[];
}

/** Finds keys that a schema does not name, at any depth that it describes. Objects without properties may have any. */
export function findUnknownKeys(schema: TSchema, value: unknown): UnknownKey[] {
  const found: UnknownKey[] = [];
  walk(schema as Shape, value, '', found);
  return found;
}

function walk(shape: Shape, value: unknown, pointer: string, found: UnknownKey[]): void {
  if (value === null || typeof value !== 'object') return;
  const fitting = variantFor(shape, value);
  if (!fitting) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      walk(fitting.items ?? {}, item, `${pointer}/${index}`, found);
    return;
  }
  const { properties } = fitting;
  if (!properties) return; // free-form
  for (const [key, part] of Object.entries(value)) {
    const place = `${pointer}/${escapePointer(key)}`;
    if (Object.hasOwn(properties, key)) walk(properties[key]!, part, place, found);
    else found.push({ pointer: place, key, known: Object.keys(properties) });
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

/** The names at any depth of a schema, each with the pointer of its place nearest to the root; not those in lists. */
export function findPlaces(schema: TSchema): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  let level: (readonly [string, Shape])[] = [['', schema as Shape]];
  while (level.length > 0) {
    const inside = level.flatMap(([pointer, shape]) =>
      propertiesOf(shape).map(([name, part]) => [`${pointer}/${escapePointer(name)}`, part, name] as const),
    );
    for (const [place, , name] of inside) if (!places.has(name)) places.set(name, place);
    level = inside.map(([place, part]) => [place, part]);
  }
  return places;
}

const propertiesOf = ({ properties, anyOf = [] }: Shape): (readonly [string, Shape])[] => [
  ...Object.entries(properties ?? {}),
  ...anyOf.flatMap(propertiesOf),
];
