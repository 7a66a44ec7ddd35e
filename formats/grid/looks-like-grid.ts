import { readRow } from '../points/text/read-row.ts';
import type { TextLayout } from '../points/text/text-layout.ts';

const maxRows = 400;
const minShare = 0.9;

/** Whether rows follow each other at even steps along an axis, as those of terrain do. */
export function looksLikeGrid(head: Uint8Array, layout: TextLayout): boolean {
  if (!hasHeightsAlone(layout)) return false;
  const { columns, point, width, start } = layout;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const values = new Float64Array(width + 1);
  const steps = new Map<number, number>();
  let last: readonly [number, number] | undefined;
  let rows = 0;
  for (let at = start; rows < maxRows;) {
    const end = bytes.indexOf(10, at);
    if (end < 0) break;
    const isRow = readRow(bytes, [at, end], point, values) >= width;
    at = end + 1;
    const next = [values[columns.x!]!, values[columns.y!]!] as const;
    if (!isRow || !next.every(Number.isFinite)) continue;
    rows++;
    if (last) {
      const [dx, dy] = [Math.abs(next[0] - last[0]), Math.abs(next[1] - last[1])];
      // along one axis alone
      const step = dx === 0 ? dy : dy === 0 ? dx : 0;
      if (step > 0) steps.set(roundStep(step), (steps.get(roundStep(step)) ?? 0) + 1);
    }
    last = next;
  }
  return rows > 3 && Math.max(0, ...steps.values()) >= (rows - 1) * minShare - rows ** 0.5;
}

/** A table without what only points of a scan have. */
export function hasHeightsAlone({ kind, columns }: TextLayout): boolean {
  return kind === 'table' && columns.red === undefined && columns.intensity === undefined;
}

/** Lines begin with x, y and height. */
export function beginsWithPlace({ columns: { x, y, z } }: TextLayout): boolean {
  return x === 0 && y === 1 && z === 2;
}

const roundStep = (step: number): number => Number(step.toPrecision(6));
