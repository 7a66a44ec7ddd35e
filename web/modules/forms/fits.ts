import { isObject } from '../../ui/is-object.ts';
import { hasTitledRows } from '../document/legend-rows.ts';
import type { Field, FieldKind } from '../fields/field.ts';

const isList = (value: unknown, itemType: 'string' | 'number') =>
  Array.isArray(value) && value.every((item) => typeof item === itemType);

const fitting: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  longText: (value) => typeof value === 'string',
  address: (value) => typeof value === 'string',
  datasource: (value) => typeof value === 'string',
  name: (value) => typeof value === 'string',
  colour: (value) => typeof value === 'string' || isList(value, 'number'),
  number: (value) => typeof value === 'number',
  share: (value) => typeof value === 'number',
  yesNo: (value) => typeof value === 'boolean',
  choice: (value) => typeof value === 'string' || typeof value === 'number',
  texts: (value) => isList(value, 'string'),
  names: (value) => isList(value, 'string'),
  numbers: (value) => isList(value, 'number'),
  extent: (value) => isObject(value) && isList(value['coordinates'], 'number'),
  projection: (value) => isObject(value),
  style: (value) => typeof value === 'string' || isObject(value),
  card: (value) => typeof value === 'string',
  time: isObject,
  search: (value) => typeof value === 'string',
  legend: hasTitledRows,
  json: () => true,
};

/** Whether a field's control can represent the value; otherwise it is shown as JSON, so that nothing is lost. */
export const fits = ({ kind }: Field, value: unknown): boolean => value === undefined || fitting[kind](value);

/** Parses `13.4, 52.5 0`; undefined if it contains anything but numbers. */
export function parseNumbers(text: string): number[] | undefined {
  const parts = text.split(/[\s;,[\]]+/).filter((part) => part !== '');
  const numbers = parts.map(Number);
  return numbers.some((number) => !Number.isFinite(number)) ? undefined : numbers;
}
