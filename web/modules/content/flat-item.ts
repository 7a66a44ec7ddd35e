import type { Finding } from '../document/findings.ts';

/** An item of a `FlatList`. */
export interface FlatItem {
  readonly key: string;
  readonly label: string;
  readonly findings: readonly Finding[];
  /** Whether it is visible at the start; undefined for what is never visible. */
  readonly isOn: boolean | undefined;
}
