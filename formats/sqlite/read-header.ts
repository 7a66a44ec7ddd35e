import type { Bytes } from '../bytes/bytes.ts';
import { SqliteError } from './sqlite-error.ts';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The first 100 bytes of a database (sqlite.org/fileformat2, 1.3). */
export interface SqliteHeader {
  /** In bytes. */
  readonly pageSize: number;
  /** Usable bytes per page: page size minus reserved space. */
  readonly usableSize: number;
  readonly pageCount: number;
  readonly encoding: TextEncoding;
  readonly isWal: boolean;
  /** `pragma application_id`, by which MBTiles and GeoPackage may name themselves. */
  readonly applicationId: number;
  readonly userVersion: number;
}

const magic = 'SQLite format 3\0';
const headerBytes = 100;
const encodings: readonly (TextEncoding | undefined)[] = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'];

/** @throws SqliteError if the file is not a database, is cut off, or has content in a -wal file */
export async function readHeader(bytes: Bytes): Promise<SqliteHeader> {
  const start = await bytes.read(0, headerBytes);
  if (start.length < headerBytes || Buffer.from(start.subarray(0, 16)).toString('latin1') !== magic)
    throw new SqliteError('it is not an SQLite database, or it is encrypted');
  const view = new DataView(start.buffer, start.byteOffset, headerBytes);
  const pageSize = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
  const usableSize = pageSize - view.getUint8(20);
  const isPower = pageSize >= 512 && (pageSize & (pageSize - 1)) === 0;
  if (!isPower || usableSize < 480) throw new SqliteError('the header of the database is damaged');
  if (view.getUint8(19) > 2) throw new SqliteError('the database needs a newer version of SQLite');
  const isWal = view.getUint8(19) === 2;
  // the count is of use only where the last writer knew of it
  const isCounted = view.getUint32(28) !== 0 && view.getUint32(24) === view.getUint32(92);
  const pageCount = isCounted ? view.getUint32(28) : Math.floor(bytes.size / pageSize);
  if (pageCount * pageSize > bytes.size) throw new SqliteError(isWal ? leftInWal : 'the database is cut off');
  const encoding = encodings[view.getUint32(56)];
  if (encoding === undefined) throw new SqliteError('the header of the database is damaged');
  const [userVersion, applicationId] = [view.getUint32(60), view.getUint32(68)];
  return { pageSize, usableSize, pageCount, encoding, isWal, applicationId, userVersion };
}

/** A database in WAL mode is complete only after a checkpoint. */
export const leftInWal =
  'part of the database is still in its -wal file: close the program that writes it, or run "pragma wal_checkpoint(truncate)", and upload it again';
