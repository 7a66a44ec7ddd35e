import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { createFeature, type Feature, type FeaturePlace, type VisitFeature } from '../feature/feature.ts';
import { clearGeometry } from '../feature/geometry-buffer.ts';
import { SourceError, type ReadPartOptions } from '../source/source.ts';
import { describeTable, type TableShape } from './describe-table.ts';
import type { RowRange } from './list-layers.ts';
import { quoted, sourceErrorOf } from './open-database.ts';
import { readGeoPackageGeometry } from './read-geometry.ts';

/** Rows from one pause to the next, in which messages get through. */
const rowsAtOnce = 8192;

/**
 * Visits the features of a range in the order of their rows. Integers beyond 2^53 come as their digits in a string,
 * as a number would be another one; blobs are omitted.
 * @returns how many
 * @throws SourceError
 */
export async function readRows(
  database: DatabaseSync,
  range: RowRange,
  visit: VisitFeature,
  { onProgress, keepsHeights }: Pick<ReadPartOptions, 'onProgress' | 'keepsHeights'> = {},
): Promise<number> {
  const shape = describeTable(database, range.table, range.geometryColumn);
  if (shape === undefined) throw new SourceError('brokenFile', `the table ${range.table} is missing`);
  const feature = createFeature(keepsHeights);
  const fill = createFill(feature, shape);
  let count = 0;
  let row: number | bigint | null | undefined;
  let visiting = false;
  let before: number | undefined;
  const place = (): FeaturePlace => ({
    feature: (before ??= countBefore(database, range, shape)) + count + 1,
    ...(shape.rowNumber === undefined ? {} : { row: Number(row) }),
  });
  /** Reads on from the last row; false if an integer does not fit a number. */
  const step = async (bigints: boolean): Promise<boolean> => {
    try {
      for (const values of rowsFrom(database, range, shape, { bigints, after: row })) {
        row = values[0] as number | bigint | null;
        fill(values);
        visiting = true;
        visit(feature, place);
        visiting = false;
        count++;
        if (count % rowsAtOnce === 0) {
          if (range.rows !== undefined) onProgress?.(shareOf(range.rows, Number(row)));
          await setImmediate();
        }
      }
      return true;
    } catch (error) {
      if (visiting) throw error;
      // Thrown by node:sqlite before the row is seen.
      if (!bigints && (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE') return false;
      throw sourceErrorOf(error, row == null ? { feature: count + 1 } : { row: Number(row) });
    }
  };
  // without row numbers reading cannot resume where it stopped
  if (!(await step(shape.rowNumber === undefined))) await step(true);
  onProgress?.(1);
  return count;
}

/** Each row: its number, the id, the geometry, the columns. */
function rowsFrom(
  database: DatabaseSync,
  { table, geometryColumn, rows }: RowRange,
  { rowNumber, idColumn, columns }: TableShape,
  { bigints, after }: { bigints: boolean; after: number | bigint | null | undefined },
): IterableIterator<SQLOutputValue[]> {
  const names = [idColumn, geometryColumn, ...columns.map(({ name }) => name)].map((name) =>
    name === undefined ? 'null' : quoted(name),
  );
  const select = `select ${rowNumber ?? 'null'}, ${names.join(', ')} from ${quoted(table)}`;
  const inOrder = rowNumber === undefined ? '' : ` where ${rowNumber} between ? and ? order by ${rowNumber}`;
  const statement: StatementSync = database.prepare(select + inOrder);
  statement.setReturnArrays(true);
  statement.setReadBigInts(bigints);
  const from = after == null ? BigInt(rows?.from ?? 0) : BigInt(after) + 1n;
  const found = rowNumber === undefined ? statement.iterate() : statement.iterate(from, BigInt(rows!.to));
  return found as unknown as IterableIterator<SQLOutputValue[]>;
}

function createFill(feature: Feature, { columns }: TableShape): (values: readonly SQLOutputValue[]) => void {
  const names = columns.map(({ name }) => name);
  const truths = columns.map(({ type }) => type === 'boolean');
  return (values) => {
    const [, id, geometry] = values;
    feature.id = typeof id === 'string' ? id : (numberOf(id) ?? undefined);
    feature.problem = undefined;
    if (geometry instanceof Uint8Array) feature.problem = readGeoPackageGeometry(geometry, feature.geometry);
    else {
      clearGeometry(feature.geometry);
      if (geometry !== null) feature.problem = 'the geometry is not a blob';
    }
    const properties: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) {
      const value = values[i + 3];
      if (value instanceof Uint8Array) continue;
      const plain = typeof value === 'bigint' ? numberOf(value) : value;
      properties[names[i]!] = truths[i] === true && typeof plain === 'number' ? plain !== 0 : plain;
    }
    feature.properties = properties;
  };
}

function numberOf(value: SQLOutputValue | undefined): number | string | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Dear: it reads the table up to the range. */
function countBefore(database: DatabaseSync, { table, rows }: RowRange, { rowNumber }: TableShape): number {
  if (rows === undefined || rowNumber === undefined) return 0;
  const statement = database.prepare(`select count(*) as rows from ${quoted(table)} where ${rowNumber} < ?`);
  return Number(statement.get(BigInt(rows.from))!['rows']);
}

function shareOf({ from, to }: { from: string; to: string }, row: number): number {
  return (row - Number(from)) / (Number(to) - Number(from) || 1);
}
