import type { RejectCode } from '../warning-codes.ts';

/** The number of features rejected for one reason. */
export interface RejectCount {
  readonly code: RejectCode;
  /** Message of the warning. */
  readonly message: string;
  /** The reason given for the first feature; others may quote other values. */
  readonly reason: string;
  readonly times: number;
}

export interface RejectCounter {
  add(kind: RejectCount): void;
  list(): RejectCount[];
}

/** Damaged data can have as many different faults as features. */
const maxReasons = 100;

/** Counts by code and reason. Reasons that differ only in quoted values or numbers count as one. */
export function createRejectCounter(): RejectCounter {
  const counts = new Map<string, RejectCount>();
  return {
    add(kind) {
      const { code, reason, times } = kind;
      const name = `${code} ${reason.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|\d+(?:\.\d+)?/g, '…')}`;
      const key = counts.has(name) || counts.size < maxReasons ? name : code;
      const known = counts.get(key);
      const otherwise = key === code ? { ...kind, reason: 'other reasons' } : kind;
      counts.set(key, known ? { ...known, times: known.times + times } : otherwise);
    },
    list: () => [...counts.values()],
  };
}

const maxNamed = 3;

/** Lists the commonest reasons first. */
export function describeRejects(kinds: readonly RejectCount[]): string {
  const sorted = kinds.toSorted((a, b) => b.times - a.times);
  const named = sorted.slice(0, maxNamed).map(({ times, reason }) => `${times} × ${reason}`);
  const others = totalRejects(sorted.slice(maxNamed));
  return [...named, ...(others > 0 ? [`${others} × otherwise`] : [])].join('; ');
}

export function totalRejects(kinds: readonly RejectCount[], code?: RejectCode): number {
  return kinds.reduce((sum, kind) => sum + (code === undefined || kind.code === code ? kind.times : 0), 0);
}
