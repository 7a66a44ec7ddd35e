import type { AttributeValue } from '../city-object/city-object.ts';

/** An instance of an IFC file: its attributes by the names of the schema. */
export type IfcLine = Readonly<Record<string, unknown>>;

/** The instances of a file. */
export interface IfcLines {
  /** The numbers of all instances of a type, and of those that inherit from it, such as `IfcProduct`. */
  idsOf(type: string): readonly number[];
  /** The name of its type, such as `IfcWall`. */
  typeOf(id: number): string;
  /** Undefined if there is none, or none that can be read. */
  lineOf(id: number | undefined): IfcLine | undefined;
}

const reference = 5;

const isLine = (value: unknown): value is IfcLine =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number of the instance that an attribute refers to. */
export function referenceOf(value: unknown): number | undefined {
  if (!isLine(value) || value['type'] !== reference) return undefined;
  return typeof value['value'] === 'number' ? value['value'] : undefined;
}

/** The numbers of the instances that an attribute lists. */
export const referencesOf = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => referenceOf(one) ?? []);

/** A text, number or boolean; undefined for unknown ones, lists and references. */
export function scalarOf(value: unknown): AttributeValue | undefined {
  if (!isLine(value) || value['type'] === reference) return undefined;
  const scalar = value['value'];
  if (typeof scalar === 'number') return Number.isFinite(scalar) ? scalar : undefined;
  return typeof scalar === 'string' || typeof scalar === 'boolean' ? scalar : undefined;
}

export function textOf(value: unknown): string | undefined {
  const scalar = scalarOf(value);
  return typeof scalar === 'string' && scalar !== '' ? scalar : undefined;
}

export function numberOf(value: unknown): number | undefined {
  const scalar = scalarOf(value);
  return typeof scalar === 'number' ? scalar : undefined;
}

/** Numbers of a list, whether they are values of their own or of one value. */
export function numbersOf(value: unknown): number[] {
  const list: unknown = isLine(value) ? value['value'] : value;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => (typeof one === 'number' ? one : (numberOf(one) ?? [])));
}
