import { guessValue } from '../xml/guess-value.ts';

/** The types that the Schema elements of a file declare. */
export interface KmlSchemas {
  declare(schema: string, field: string, type: string): void;
  valueOf(schemaUrl: string, field: string, text: string): unknown;
}

const maxFields = 100_000;
const numeric = new Set(['int', 'uint', 'short', 'ushort', 'float', 'double']);

export function createKmlSchemas(): KmlSchemas {
  const types = new Map<string, string>();
  const key = (schema: string, field: string): string => `${schema}\n${field}`;
  return {
    declare(schema, field, type) {
      if (types.size < maxFields) types.set(key(schema, field), type);
    },
    valueOf(schemaUrl, field, text) {
      const type = types.get(key(schemaUrl.slice(schemaUrl.indexOf('#') + 1), field));
      if (type === undefined) return guessValue(text);
      if (numeric.has(type)) {
        const value = Number(text);
        if (text === '') return null;
        return Number.isFinite(value) ? value : text;
      }
      if (type === 'bool' && /^(?:[01]|true|false)$/i.test(text)) return /^(?:1|true)$/i.test(text);
      return text;
    },
  };
}
