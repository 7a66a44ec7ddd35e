import type { RejectCode } from '../warning-codes.ts';

/** How many features were set aside for one reason. */
export interface RejectKind {
  readonly code: RejectCode;
  /** For the warning. */
  readonly message: string;
  /** As it was said of the first; others may name other values. */
  readonly reason: string;
  readonly times: number;
}

export interface RejectKinds {
  add(kind: RejectKind): void;
  list(): RejectKind[];
}

/** Damaged data can be damaged in as many ways as there are features. */
const mostKinds = 100;

/** Counts by code and reason; reasons that differ but in what they quote are one. */
export function createRejectKinds(): RejectKinds {
  const kinds = new Map<string, RejectKind>();
  return {
    add(kind) {
      const { code, reason, times } = kind;
      const name = `${code} ${reason.replaceAll(/"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?/g, '…')}`;
      const key = kinds.has(name) || kinds.size < mostKinds ? name : code;
      const known = kinds.get(key);
      const otherwise = key === code ? { ...kind, reason: 'other reasons' } : kind;
      kinds.set(key, known ? { ...known, times: known.times + times } : otherwise);
    },
    list: () => [...kinds.values()],
  };
}

const mostNamed = 3;

/** The commonest first. */
export function describeKinds(kinds: readonly RejectKind[]): string {
  const sorted = kinds.toSorted((a, b) => b.times - a.times);
  const named = sorted.slice(0, mostNamed).map(({ times, reason }) => `${times} × ${reason}`);
  const others = timesOf(sorted.slice(mostNamed));
  return [...named, ...(others > 0 ? [`${others} × otherwise`] : [])].join('; ');
}

export function timesOf(kinds: readonly RejectKind[], code?: RejectCode): number {
  return kinds.reduce((sum, kind) => sum + (code === undefined || kind.code === code ? kind.times : 0), 0);
}
