import { addAttribute } from '../city-object/attributes.ts';
import type { AttributeValue, Attributes } from '../city-object/city-object.ts';
import { asArray, asIndex, asObject, asObjects, asText, type JsonObject } from '../json/read-values.ts';
import { addExtras } from '../mesh-model/gltf-attributes.ts';
import { readBinaryColumn } from './binary-column.ts';

/** Features of one tile; more are an error of the file. */
const maxFeatures = 10_000_000;
/** VC Map and its tools put all attributes of a feature into one property of this name. */
const attributesProperty = 'attributes';

/** The attributes of each feature by a batch table (OGC 18-053r2, 9.3), with those of its hierarchy. */
export function readBatchTable(json: JsonObject, binary: Uint8Array, count: number): Attributes[] {
  const rows = emptyRows(count);
  for (const [name, column] of Object.entries(json)) {
    if (name === 'extensions' || name === 'extras' || name === 'HIERARCHY') continue;
    addColumn(rows, name, valuesOf(column, binary, count));
  }
  const hierarchy =
    asObject(asObject(json['extensions'])?.['3DTILES_batch_table_hierarchy']) ?? asObject(json['HIERARCHY']);
  if (hierarchy !== undefined) addHierarchy(rows, hierarchy, binary);
  return rows;
}

export const emptyRows = (count: number): Attributes[] =>
  Array.from({ length: Math.min(count, maxFeatures) }, () => new Map());

/** Values of a column: a list in the JSON, or numbers in the binary part. */
function valuesOf(column: unknown, binary: Uint8Array, count: number): readonly unknown[] {
  const list = asArray(column);
  if (list !== undefined) return list;
  const place = asObject(column);
  return place === undefined ? [] : (readBinaryColumn(place, binary, count) ?? []);
}

function addColumn(rows: readonly Attributes[], name: string, values: readonly unknown[]): void {
  for (const [i, row] of rows.entries()) addValue(row, name, values[i]);
}

/** Adds a value of any kind: members of objects by their path, lists as texts. */
export function addValue(row: Attributes, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'object')
    addExtras(row, name === attributesProperty && !Array.isArray(value) ? value : { [name]: value });
  else if (typeof value === 'bigint') addAttribute(row, name, plainNumber(value));
  else if (typeof value !== 'number' || Number.isFinite(value))
    addAttribute(row, name, value as AttributeValue);
}

/** Whole numbers that no double holds become texts. */
export function plainNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Instances of classes whose attributes hold for features below them, too (3DTILES_batch_table_hierarchy). */
function addHierarchy(rows: readonly Attributes[], hierarchy: JsonObject, binary: Uint8Array): void {
  const instances = Math.min(asIndex(hierarchy['instancesLength']) ?? 0, maxFeatures);
  const numbers = (name: string, count: number): readonly number[] =>
    valuesOf(hierarchy[name], binary, count).map((value) => asIndex(value) ?? -1);
  const classIds = numbers('classIds', instances);
  const parentCounts =
    hierarchy['parentCounts'] === undefined ? undefined : numbers('parentCounts', instances);
  const parentTotal = parentCounts?.reduce((sum, one) => sum + Math.max(0, one), 0) ?? instances;
  const parentIds = numbers('parentIds', Math.min(parentTotal, maxFeatures));
  const classes = asObjects(hierarchy['classes']).map((one) => {
    const length = Math.min(asIndex(one?.['length']) ?? 0, instances);
    const columns = Object.entries(asObject(one?.['instances']) ?? {});
    return {
      name: asText(one?.['name']),
      columns: columns.map(([name, column]) => ({ name, values: valuesOf(column, binary, length) })),
      seen: 0,
    };
  });
  const withinClass = classIds.map((id) => (classes[id] === undefined ? -1 : classes[id].seen++));
  const firstParents: number[] = [];
  let first = 0;
  for (let i = 0; i < instances; i++) {
    firstParents.push(first);
    first += parentCounts === undefined ? 1 : Math.max(0, parentCounts[i] ?? 0);
  }
  const parentsOf = (instance: number): readonly number[] => {
    const start = firstParents[instance] ?? 0;
    return parentIds.slice(start, firstParents[instance + 1] ?? first);
  };
  for (const [i, row] of rows.entries()) {
    const seen = new Set<number>();
    // an instance without a parent names itself
    for (let open = [i]; open.length > 0 && seen.size < maxAncestors;) {
      const next: number[] = [];
      for (const instance of open) {
        if (seen.has(instance) || instance < 0 || instance >= instances) continue;
        seen.add(instance);
        const found = classes[classIds[instance]!];
        if (found === undefined) continue;
        // what is nearer comes first, and stays
        for (const { name, values } of found.columns)
          if (!row.has(name)) addValue(row, name, values[withinClass[instance]!]);
        if (instance === i && found.name !== undefined && !row.has('class')) row.set('class', found.name);
        for (const parent of parentsOf(instance)) next.push(parent);
      }
      open = next;
    }
  }
}

const maxAncestors = 100;
