import { exitCodes } from '../failures.ts';
import { table } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

/** A line per item for people, all items whole for programs. */
export function printList<Item>(
  terminal: Terminal,
  items: readonly Item[],
  rowOf: (item: Item) => string[],
): number {
  terminal.json(items);
  for (const line of table(items.map(rowOf))) terminal.line(line);
  return exitCodes.ok;
}
