import type { AttributeValue } from '@platen/formats/city-object/city-object';
import {
  addStatistics,
  countValue,
  createStatistics,
  fieldType,
  type AttributeStatistics,
} from '../kit/attribute-statistics.ts';
import { describeValues, type ValueLimits } from '../kit/describe-values.ts';
import { propertyIds } from '@platen/formats/gltf/property-ids';
import type { Property } from '@platen/formats/gltf/property-table';

type Attributes = ReadonlyMap<string, AttributeValue>;

/** What the values of an attribute are like. Plain data. */
export interface AttributeFact extends AttributeStatistics {
  /** Numbers that are not whole. */
  fractions: number;
}

export type AttributeFacts = Map<string, AttributeFact>;

/** Tables with more columns are no use to anybody. */
export const maxProperties = 1000;

/** So many models at most keep values: those of 100,000 would fill the memory. */
const maxSampledModels = 250;

/** Whether the values of a model are listed, of those that are read; counts and ranges are of all. */
export const keepsValuesOf = (model: number, models: number): boolean =>
  model % Math.ceil(models / maxSampledModels) === 0;

interface Facts {
  readonly facts: AttributeFacts;
  readonly keepsValues: boolean;
}

export function seeAttributes(into: Facts, attributes: Attributes): void {
  // pairs of entries would be objects
  attributes.forEach((value, name) => seeValue(into, name, value));
}

export function seeValue({ facts, keepsValues }: Facts, name: string, value: AttributeValue): void {
  const fact = factOf(facts, name, keepsValues);
  countValue(fact, value);
  if (typeof value === 'number' && !Number.isInteger(value)) fact.fractions++;
}

export function mergeFacts(all: readonly AttributeFacts[]): AttributeFacts {
  const merged: AttributeFacts = new Map();
  for (const facts of all)
    for (const [name, further] of facts) {
      const fact = factOf(merged, name);
      addStatistics(fact, further);
      fact.fractions += further.fractions;
    }
  return merged;
}

function factOf(facts: AttributeFacts, name: string, keepsValues = true): AttributeFact {
  const known = facts.get(name);
  if (known !== undefined) return known;
  const fact = { ...createStatistics(name, keepsValues && facts.size < maxProperties), fractions: 0 };
  facts.set(name, fact);
  return fact;
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
  const { valueCount, fractions, min, max } = fact;
  const type = fieldType(fact);
  if (type === 'String') return { type: 'STRING', noData: undefined };
  const isComplete = valueCount === featureCount;
  // metadata cannot say that a boolean is missing
  if (type === 'Boolean') return { type: isComplete ? 'BOOLEAN' : 'STRING', noData: undefined };
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

/** Lists of datasources contain the fields of each. */
const maxFieldsLength = 128 * 1024;
/** Tried in order until the fields fit; the last is taken in any case. */
const limits: readonly ValueLimits[] = [
  { values: 20, quantiles: 51 },
  { values: 20, quantiles: 0 },
  { values: 5, quantiles: 0 },
  { values: 0, quantiles: 0 },
];

export interface DescribedFeatures {
  readonly facts: AttributeFacts;
  readonly featureCount: number;
  /** Of the tiles: viewers know attributes by ids from 1.1 on. */
  readonly version: '1.0' | '1.1';
}

/**
 * The attributes of a datasource, with their values and ranges, called as viewers and styles call them. The title is the
 * name in the source if it is another one.
 */
export function fieldsOf(
  properties: readonly Property[],
  { facts, featureCount, version }: DescribedFeatures,
): readonly Field[] {
  const fieldOf = ({ name, id, type }: Property, limit: ValueLimits): Field => {
    const fact = facts.get(name);
    return {
      ...(version === '1.0' || name === id ? { name } : { name: id, title: name }),
      type: fieldTypes[type],
      ...(fact && describeValues(fact, featureCount, limit)),
    };
  };
  const [first, ...shorter] = limits.map((limit) => () => properties.map((one) => fieldOf(one, limit)));
  let fields = first!();
  for (const shorten of shorter) {
    if (JSON.stringify(fields).length <= maxFieldsLength) break;
    fields = shorten();
  }
  return fields;
}

type Field = { readonly name: string; readonly title?: string; readonly type: string } & Partial<
  ReturnType<typeof describeValues>
>;
