import { readFileSync } from 'node:fs';

/**
 * The fields of an object. A name may end in `[]` (a list of these), `[,]` (a list separated by commas in a query) and
 * `?` (optional), in this order.
 */
export interface Fields {
  readonly [name: string]: Shape;
}

/** A JSON type, the name of a shape, an enumeration such as `asc|desc`, fields, or alternatives. */
export type Shape = string | Fields | readonly Shape[];

interface Content {
  readonly json?: Shape;
  /** The shape of the items in a list envelope. */
  readonly page?: Shape;
  /** The shape of the items of a plain array. */
  readonly list?: Shape;
  readonly media?: string;
  readonly form?: true;
}

/** One operation of the reference platform. */
export interface ReferenceOperation {
  readonly method: string;
  readonly path: string;
  readonly query?: Fields;
  readonly body?: Content;
  readonly status: number;
  readonly alsoStatus?: number;
  readonly answer?: Content;
}

const file = new URL('../../../contract/reference/operations.json', import.meta.url);
const facts = JSON.parse(readFileSync(file, 'utf8')) as {
  shapes: Readonly<Record<string, Shape>>;
  operations: readonly ReferenceOperation[];
};

export const referenceOperations = facts.operations;

export interface Field {
  readonly name: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly shape: Shape;
}

/** The alternatives of a shape: one, unless it has several. */
export function alternativesOf(shape: Shape): (string | Fields)[] {
  if (Array.isArray(shape)) return (shape as readonly Shape[]).flatMap(alternativesOf);
  const named = typeof shape === 'string' ? facts.shapes[shape] : undefined;
  return named === undefined ? [shape as string | Fields] : alternativesOf(named);
}

export function fieldsOf(fields: Fields): Field[] {
  return Object.entries(fields).map(([key, shape]) => {
    const [, name, list, optional] = /^(\w+)(\[,?\])?(\?)?$/.exec(key)!;
    return { name: name!, isList: list !== undefined, isRequired: optional === undefined, shape };
  });
}

const pageFields = { limit: 'number', page: 'number', totalCount: 'number', totalPages: 'number' };

/** The shape of a whole body or answer; undefined if it is no JSON. `isList`: an array of it. */
export function shapeOf({ json, page, list }: Content): { shape: Shape; isList: boolean } | undefined {
  if (page !== undefined) return { shape: { ...pageFields, 'items[]': page }, isList: false };
  const shape = json ?? list;
  return shape === undefined ? undefined : { shape, isList: list !== undefined };
}

/** The name of an operation in the table of differences. Parameters of paths have other names in places. */
export const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replace(/\{\w+\}/g, '{}')}`;

/** What differs in an operation, in one word or two, as in the table. */
export interface Difference {
  readonly operation: string;
  readonly difference: string;
}
