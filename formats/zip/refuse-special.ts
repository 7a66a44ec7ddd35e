import type { DirectoryRecord } from './read-records.ts';
import { ZipError } from './zip-error.ts';

/** The type bits of a Unix mode, which is the upper half of the attributes; 0 if another system wrote the archive. */
const typeBits = 0o170000;
const unknownType = 0;
const regularFile = 0o100000;
const folder = 0o040000;
const ordinaryTypes = new Set([unknownType, regularFile, folder]);

/** @throws ZipError for links and devices */
export function refuseSpecial({ attributes }: DirectoryRecord, name: string): void {
  if (ordinaryTypes.has((attributes >>> 16) & typeBits)) return;
  throw new ZipError(
    'refused',
    `the member "${name}" is a link or a device, not a file: create the zip file again from files only`,
  );
}
