/** A row of a `TreeList`. */
export interface TreeRow {
  readonly key: string;
  readonly label: string;
  /** From 1. */
  readonly level: number;
  /** Undefined if it cannot have children. */
  readonly isOpen?: boolean | undefined;
  /** Its position among its siblings from 1, and their number. */
  readonly position: number;
  readonly size: number;
  /** Whether it cannot be moved, renamed or removed. */
  readonly isFixed?: boolean;
}

export type DropPlace = 'before' | 'inside' | 'after';
export type TreeStep = 'up' | 'down' | 'in' | 'out';

/**
 * The index of a row of a flat list after it was dropped at another.
 * @param from its index before
 * @param target that of the other row
 */
export function indexAfterDrop(from: number, target: number, place: DropPlace): number {
  const at = target + (place === 'before' ? 0 : 1);
  return at > from ? at - 1 : at;
}
