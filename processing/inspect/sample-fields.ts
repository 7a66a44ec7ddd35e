import type { InspectedField } from '@platen/contract/inspect';
import type { SourceLayer } from '@platen/formats/source/source';

const maxFields = 1000;
const maxExamples = 3;
const maxExampleLength = 60;
const maxNameLength = 200;

interface FieldValues {
  readonly types: Set<string>;
  readonly examples: Set<string | number | boolean>;
}

/** Collects the attributes of features with their types and examples. */
export interface FieldSample {
  see(properties: Readonly<Record<string, unknown>>): void;
  /** Lists the fields of the schema first, then those found in features. */
  describe(schema: SourceLayer['fields']): InspectedField[];
  /** Whether there were more fields than the maximum. */
  hasMore(): boolean;
}

export function createFieldSample(): FieldSample {
  const fields = new Map<string, FieldValues>();
  let hasMore = false;
  return {
    see(properties) {
      for (const name in properties) {
        const value = properties[name];
        if (value === null || value === undefined) continue;
        let field = fields.get(name);
        if (field === undefined) {
          hasMore ||= fields.size >= maxFields;
          if (fields.size >= maxFields) continue;
          fields.set(name, (field = { types: new Set(), examples: new Set() }));
        }
        field.types.add(typeOf(value));
        if (field.examples.size < maxExamples) field.examples.add(exampleOf(value));
      }
    },
    describe(schema = []) {
      const named = schema.slice(0, maxFields).map(({ name, type }) => fieldOf(name, type, fields.get(name)));
      const known = new Set(schema.map(({ name }) => name));
      const others = [...fields].filter(([name]) => !known.has(name));
      return [...named, ...others.map(([name, seen]) => fieldOf(name, commonType(seen.types), seen))];
    },
    hasMore: () => hasMore,
  };
}

function fieldOf(name: string, type: string, seen: FieldValues | undefined): InspectedField {
  return { name: name.slice(0, maxNameLength).toWellFormed(), type, examples: [...(seen?.examples ?? [])] };
}

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'object' ? 'json' : typeof value;
}

function commonType(types: ReadonlySet<string>): string {
  if (types.size === 1) return [...types][0]!;
  const areNumbers = [...types].every((type) => type === 'integer' || type === 'number');
  return areNumbers ? 'number' : 'mixed';
}

function exampleOf(value: unknown): string | number | boolean {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > maxExampleLength ? `${text.slice(0, maxExampleLength).toWellFormed()}…` : text;
}
