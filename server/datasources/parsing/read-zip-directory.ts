import type { DirectoryRange } from '@platen/formats/zip/find-directory';
import { scanDirectory } from '@platen/formats/zip/scan-directory';
import { bytesOfHost, type FileHost } from './file-host.ts';

export interface ZipHost extends FileHost {
  /** Announces the number of slots of the name table. */
  begin(slots: number): Promise<void>;
  /** A part of the table, which is too large for one message. */
  add(column: 'offsets' | 'tags', at: number, part: Uint32Array): Promise<void>;
}

export interface ZipInput {
  readonly size: number;
  readonly directory: DirectoryRange;
}

export interface ZipAnswer {
  readonly topFolder: string;
  /** The seed of the hashes in the name table. */
  readonly seed: number;
}

const slotsAtOnce = 256 * 1024;

/** Scans the directory of a zip file, and sends its name table to the host. @throws ZipError */
export async function parse({ size, directory }: ZipInput, host: ZipHost): Promise<ZipAnswer> {
  const { names, topFolder } = await scanDirectory(bytesOfHost(host.read, size), directory, {});
  const { seed, offsets, tags } = names.parts;
  await host.begin(offsets.length);
  for (let at = 0; at < offsets.length; at += slotsAtOnce) {
    await host.add('offsets', at, offsets.subarray(at, at + slotsAtOnce));
    await host.add('tags', at, tags.subarray(at, at + slotsAtOnce));
  }
  return { topFolder, seed };
}
