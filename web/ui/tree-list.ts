/** One line of a `TreeList`. */
export interface TreeRow {
  readonly key: string;
  readonly label: string;
  /** From 1 on. */
  readonly level: number;
  /** Undefined where nothing can be below it. */
  readonly isOpen?: boolean | undefined;
  /** Its place among those of its parent, from 1 on, and how many they are. */
  readonly position: number;
  readonly size: number;
  /** Whether it may be moved, renamed and removed; others are only shown. */
  readonly isFixed?: boolean;
}

export type DropPlace = 'before' | 'inside' | 'after';
export type TreeStep = 'up' | 'down' | 'in' | 'out';
