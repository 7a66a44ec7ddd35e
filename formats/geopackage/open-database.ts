import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { FeaturePlace } from '../feature/feature.ts';
import { SourceError, type SourceFile } from '../source/source.ts';

/**
 * Opens a database that no process writes. `immutable` keeps SQLite from creating files and locks, without which a
 * database in WAL mode cannot be opened read-only. Changes in a -wal or -journal file are ignored, see `leftovers`.
 */
export function openDatabase(path: string, maxValueBytes: number): DatabaseSync {
  const url = pathToFileURL(path);
  url.search = '?immutable=1';
  const database = new DatabaseSync(url, {
    readOnly: true,
    limits: { length: Math.max(1 << 20, Math.min(maxValueBytes, 1_000_000_000)), attach: 0 },
  });
  // The file may bring views of its own: one that recurs for ever cannot be stopped.
  database.setAuthorizer((action) =>
    action === constants.SQLITE_RECURSIVE ? constants.SQLITE_DENY : constants.SQLITE_OK,
  );
  // Nor may a view call functions with effects, and each page is checked before it is believed.
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0');
  return database;
}

/** @throws SourceError where the file is shorter than its header says; SQLite would call it malformed */
export function refuseTruncated({ path, size }: SourceFile): void {
  const head = new DataView(new ArrayBuffer(100));
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  // SQLite's file format, 1.3.8: the number of pages is only to be believed where both counters agree.
  const claimed = head.getUint32(28) * (head.getUint16(16) === 1 ? 65536 : head.getUint16(16));
  if (head.getUint32(24) !== head.getUint32(92) || size >= claimed) return;
  throw new SourceError(
    'truncatedFile',
    `the file is incomplete (${size} of ${claimed} bytes): copy it again`,
  );
}

/** Files next to the database in which SQLite keeps changes that are not yet in it. */
export function leftovers(path: string): string[] {
  return ['-wal', '-journal'].filter((ending) => {
    try {
      return (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0) > 0;
    } catch {
      // A job can access only its inputs; other files do not exist for it.
      return false;
    }
  });
}

/** SQLite's primary result codes. */
const result = {
  corrupt: 11,
  notADatabase: 26,
  tooBig: 18,
  notPermitted: 23,
  readFailed: 10,
  cannotOpen: 14,
};

/** Translates an error of SQLite; other errors are returned unchanged. */
export function sourceErrorOf(error: unknown, place: Partial<FeaturePlace> = {}): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const reason = error.message;
  const primary = Number(error.errcode) & 0xff;
  const fault = (code: 'brokenFile' | 'featureTooLarge' | 'unsupported', message: string): SourceError =>
    new SourceError(code, message, place, { cause: error });
  if (primary === result.tooBig) return fault('featureTooLarge', 'a row is too large');
  if (primary === result.notPermitted)
    return fault('unsupported', 'a view of the file is recursive: export it as a table');
  if (primary === result.notADatabase) return fault('brokenFile', 'the database is damaged or encrypted');
  if (primary === result.corrupt) {
    return fault(
      'brokenFile',
      `the database is damaged (${reason}): the .recover command of sqlite3 may restore part of it`,
    );
  }
  if (primary === result.readFailed || primary === result.cannotOpen) return error;
  return fault('brokenFile', `the database cannot be read: ${reason}`);
}

export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === result.corrupt;
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
