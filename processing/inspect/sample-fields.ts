import type { InspectedField } from '@platen/contract/inspect';
import type { SourceLayer } from '@platen/formats/source/source';

const mostFields = 1000;
const mostExamples = 3;
const longestExample = 60;
const longestName = 200;

interface Seen {
  readonly types: Set<string>;
  readonly examples: Set<string | number | boolean>;
}

/** Watches which attributes features have. */
export interface FieldSample {
  see(properties: Readonly<Record<string, unknown>>): void;
  /** Those that the file itself names first, as it names them. */
  describe(schema: SourceLayer['fields']): InspectedField[];
  /** Whether there were more than are told of. */
  hasMore(): boolean;
}

export function createFieldSample(): FieldSample {
  const fields = new Map<string, Seen>();
  let hasMore = false;
  return {
    see(properties) {
      for (const name in properties) {
        const value = properties[name];
        if (value === null || value === undefined) continue;
        let field = fields.get(name);
        if (field === undefined) {
          hasMore ||= fields.size >= mostFields;
          if (fields.size >= mostFields) continue;
          fields.set(name, (field = { types: new Set(), examples: new Set() }));
        }
        field.types.add(typeOf(value));
        if (field.examples.size < mostExamples) field.examples.add(exampleOf(value));
      }
    },
    describe(schema = []) {
      const named = schema
        .slice(0, mostFields)
        .map(({ name, type }) => fieldOf(name, type, fields.get(name)));
      const known = new Set(schema.map(({ name }) => name));
      const others = [...fields].filter(([name]) => !known.has(name));
      return [...named, ...others.map(([name, seen]) => fieldOf(name, commonType(seen.types), seen))];
    },
    hasMore: () => hasMore,
  };
}

function fieldOf(name: string, type: string, seen: Seen | undefined): InspectedField {
  return { name: name.slice(0, longestName).toWellFormed(), type, examples: [...(seen?.examples ?? [])] };
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
  return text.length > longestExample ? `${text.slice(0, longestExample).toWellFormed()}…` : text;
}
