import type { Random } from './random.ts';

type Schema = Readonly<Record<string, unknown>>;

const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  '%',
  '%%',
  "'; drop table project; --",
  '<script>alert(1)</script>',
  '\u202e\u0000',
  '👩‍👩‍👧‍👦'.repeat(40),
  'ä'.repeat(1100),
  'null',
  'true',
  '-1',
  '1e999',
  '9'.repeat(40),
  '0001-01-01T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '../..',
  '-999999-01-01T00:00:00.000Z',
  '..',
  '/',
  'a/b/../c',
  'a\\b',
  '*/5 * * * *',
  '{{}}',
  '${x}',
] as const;

const hostileNumbers = [0, -0, -1, 1.5, 2_147_483_648, -2_147_483_649, 2 ** 53, 1e308, 5e-324] as const;

/** Anything at all. */
export function hostileValue(random: Random, depth = 0): unknown {
  const kind = random.integer(depth > 3 ? 4 : 8);
  if (kind === 0) return random.pick(hostileTexts);
  if (kind === 1) return random.pick(hostileNumbers);
  if (kind === 2) return random.pick([null, true, false]);
  if (kind === 3) return 'x'.repeat(random.integer(5000));
  if (kind === 4) return Array.from({ length: random.integer(5) }, () => hostileValue(random, depth + 1));
  if (kind === 5) return nest(random.pick([63, 64, 65, 500]));
  const keys = Array.from({ length: random.integer(4) }, () => random.pick(hostileTexts));
  return Object.fromEntries(keys.map((key) => [key, hostileValue(random, depth + 1)]));
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

export function hostileText(random: Random): string {
  return random.pick(hostileTexts);
}

interface Source {
  readonly random: Random;
  /** Names the schemas that `$ref` points to. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Identifiers that exist. */
  readonly ids: readonly string[];
}

/** A value that mostly fits the schema. */
export function valueFor(schema: Schema | undefined, source: Source, depth = 0): unknown {
  const { random, schemas, ids } = source;
  if (!schema || depth > 8) return hostileValue(random, 4);
  const ref = schema['$ref'];
  if (typeof ref === 'string') return valueFor(schemas[ref.split('/').at(-1)!], source, depth + 1);
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum']);
  if ('const' in schema) return schema['const'];
  const union = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (union) return valueFor(random.pick(union), source, depth + 1);
  switch (schema['type']) {
    case 'object':
      return objectFor(schema, source, depth);
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema as { minItems?: number; maxItems?: number };
      const length = Math.min(maxItems, minItems + random.integer(3));
      return Array.from({ length }, () => valueFor(schema['items'] as Schema, source, depth + 1));
    }
    case 'integer':
      return random.integer(30);
    case 'number':
      return random.integer(90);
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      return random.chance(0.4) && ids.length > 0
        ? random.pick(ids)
        : random.pick(['name', 'Straße 1', '2026-11-20T08:00:00Z']);
    default:
      return hostileValue(random, 3);
  }
}

function objectFor(schema: Schema, source: Source, depth: number): unknown {
  const { random } = source;
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  const chosen = Object.entries(properties).filter(([name]) => required.has(name) || random.chance(0.4));
  return Object.fromEntries(chosen.map(([name, part]) => [name, valueFor(part, source, depth + 1)]));
}

/** The same value with something wrong in it. */
export function spoil(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const copy = [...value];
    const index = random.integer(copy.length);
    copy[index] = spoil(copy[index], random);
    return copy;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.length > 0 && random.chance(0.8)) {
      const [name, part] = random.pick(entries);
      if (random.chance(0.2)) return Object.fromEntries(entries.filter(([other]) => other !== name));
      return { ...value, [name]: spoil(part, random) };
    }
    return { ...value, [hostileText(random)]: hostileValue(random) };
  }
  return hostileValue(random);
}
