import type { AttributeValue } from '@platen/formats/city-object/city-object';
import { propertyIds } from '@platen/formats/gltf/property-ids';
import type { Property } from '@platen/formats/gltf/property-table';

type Attributes = ReadonlyMap<string, AttributeValue>;

/** What the values of an attribute are like. Plain data. */
export interface AttributeFact {
  /** Features that have the attribute. */
  count: number;
  texts: number;
  booleans: number;
  fractions: number;
  min: number;
  max: number;
}

export type AttributeFacts = Map<string, AttributeFact>;

/** Tables with more columns are no use to anybody. */
export const maxProperties = 1000;

const emptyFact = (): AttributeFact => ({
  count: 0,
  texts: 0,
  booleans: 0,
  fractions: 0,
  min: Infinity,
  max: -Infinity,
});

export function seeAttributes(facts: AttributeFacts, attributes: Attributes): void {
  for (const [name, value] of attributes) {
    let fact = facts.get(name);
    if (fact === undefined) facts.set(name, (fact = emptyFact()));
    fact.count++;
    if (typeof value === 'string') fact.texts++;
    else if (typeof value === 'boolean') fact.booleans++;
    else {
      if (!Number.isInteger(value)) fact.fractions++;
      fact.min = Math.min(fact.min, value);
      fact.max = Math.max(fact.max, value);
    }
  }
}

export function mergeFacts(all: readonly AttributeFacts[]): AttributeFacts {
  const merged: AttributeFacts = new Map();
  for (const facts of all) {
    for (const [name, fact] of facts) {
      const known = merged.get(name);
      if (known === undefined) merged.set(name, { ...fact });
      else {
        known.count += fact.count;
        known.texts += fact.texts;
        known.booleans += fact.booleans;
        known.fractions += fact.fractions;
        known.min = Math.min(known.min, fact.min);
        known.max = Math.max(known.max, fact.max);
      }
    }
  }
  return merged;
}

/**
 * The properties of all tiles: each attribute has one type in the whole tileset.
 * @param texts attributes that come first and are texts whatever their values are
 */
export function propertiesOf(
  facts: AttributeFacts,
  featureCount: number,
  texts: readonly string[] = ['id', 'class'],
): Property[] {
  const names = [...facts.keys()].filter((name) => !texts.includes(name)).toSorted();
  const all = [...texts, ...names.slice(0, maxProperties)];
  const ids = propertyIds(all);
  return all.map((name) => {
    const id = ids.get(name)!;
    const fact = texts.includes(name) ? undefined : facts.get(name);
    const { type, noData } = fact === undefined ? textType : typeOf(fact, featureCount);
    return { name, id, type, noData };
  });
}

const textType = { type: 'STRING', noData: undefined } as const;
const int32 = 2 ** 31;

function typeOf(fact: AttributeFact, featureCount: number): Pick<Property, 'type' | 'noData'> {
  const { count, texts, booleans, fractions, min, max } = fact;
  if (texts > 0 || (booleans > 0 && booleans < count)) return { type: 'STRING', noData: undefined };
  const isComplete = count === featureCount;
  // metadata cannot say that a boolean is missing
  if (booleans > 0) return { type: isComplete ? 'BOOLEAN' : 'STRING', noData: undefined };
  const noData = isComplete ? undefined : missingNumber(min, max);
  const isInteger = fractions === 0 && min > -int32 && max < int32 - 1;
  return { type: isInteger ? 'INT32' : 'FLOAT64', noData };
}

/** A number that no value has, and that fits wherever the values do. */
function missingNumber(min: number, max: number): number {
  if (min > -9999 || max < -9999) return -9999;
  return min > -int32 ? -int32 : -Number.MAX_VALUE;
}

const fieldTypes = { STRING: 'string', BOOLEAN: 'boolean', INT32: 'integer', FLOAT64: 'number' } as const;

/** The attributes of a datasource. */
export function fieldsOf(
  properties: readonly Property[],
): { readonly name: string; readonly type: string }[] {
  return properties.map(({ name, type }) => ({ name, type: fieldTypes[type] }));
}
