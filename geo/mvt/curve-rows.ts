import type { ScratchLog } from '../pmtiles/writer.ts';

/**
 * Rows of features in scratch logs, each log sorted by place on the curve, then by ordinal. Four doubles each: place and
 * group (place × 65,536 + group), ordinal, size, weight.
 */
export interface CurveRows {
  /** Appends a log of rows; their ordinals are above those of all earlier logs. */
  add(
    fill: (row: (place: number, group: number, rest: readonly [number, number, number]) => void) => void,
  ): void;
  /** All rows, sorted; each array is valid until the next is taken. */
  sorted(): Iterable<Float64Array>;
  readonly isEmpty: boolean;
  remove(): void;
}

const rowBytes = 32;
const groups = 65_536;
/** Merged at a time: each is read through a buffer. */
const maxLogs = 16;

export function createCurveRows(open: () => ScratchLog): CurveRows {
  let logs: ScratchLog[] = [];
  const row = new Float64Array(rowBytes / 8);
  const rowView = new Uint8Array(row.buffer);
  const merge = (): void => {
    if (logs.length < 2) return;
    const merged = open();
    for (const one of mergeRows(logs)) {
      row.set(one);
      merged.append(rowView);
    }
    for (const log of logs) log.remove();
    logs = [merged];
  };
  return {
    get isEmpty() {
      return logs.length === 0;
    },
    add(fill) {
      if (logs.length === maxLogs) merge();
      const log = open();
      fill((place, group, rest) => {
        row[0] = place * groups + group;
        row.set(rest, 1);
        log.append(rowView);
      });
      logs.push(log);
    },
    *sorted() {
      merge();
      for (const log of logs) yield* rowsOf(log);
    },
    remove() {
      for (const log of logs) log.remove();
      logs = [];
    },
  };
}

export const placeOf = (placeAndGroup: number): number => Math.floor(placeAndGroup / groups);
export const groupOf = (placeAndGroup: number): number => placeAndGroup % groups;

function* rowsOf(log: ScratchLog): Generator<Float64Array, void> {
  for (const part of log.parts()) {
    if (part.length % rowBytes > 0) throw new Error('a part of a scratch log ends within a row');
    yield new Float64Array(part.buffer, part.byteOffset, part.length / 8);
  }
}

/** Equal places keep the order of the logs, and with it that of the ordinals. */
function* mergeRows(logs: readonly ScratchLog[]): Generator<Float64Array, void> {
  const heads = logs.map((log) => ({
    parts: rowsOf(log),
    rows: new Float64Array(0) as Float64Array,
    at: 0,
    place: 0,
  }));
  const advance = (head: (typeof heads)[number]): void => {
    head.at += rowBytes / 8;
    if (head.at >= head.rows.length) {
      const next = head.parts.next();
      head.at = 0;
      head.rows = next.done ? new Float64Array(0) : next.value;
    }
    head.place = head.rows.length === 0 ? Infinity : placeOf(head.rows[head.at]!);
  };
  for (const head of heads) advance(head);
  for (;;) {
    let first = heads[0]!;
    for (const head of heads) if (head.place < first.place) first = head;
    if (first.place === Infinity) return;
    yield first.rows.subarray(first.at, first.at + rowBytes / 8);
    advance(first);
  }
}
