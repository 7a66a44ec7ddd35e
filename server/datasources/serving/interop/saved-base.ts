import type { DataRequest } from '../sources/source.ts';

/**
 * Returns the address of the datasource for documents that users save. undefined: the address holds a capability, which
 * must not be kept in a file because it gives everyone who has it access to the data.
 */
export function savedBase({ base }: DataRequest): string | undefined {
  const address = base();
  return new URL(address).pathname.startsWith('/data/t/') ? undefined : address;
}
