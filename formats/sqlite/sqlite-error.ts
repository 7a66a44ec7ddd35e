import { BytesError } from '../bytes/bytes.ts';

/** An SQLite database cannot be read; the message is a phrase to follow a colon. */
export class SqliteError extends BytesError {
  override readonly name = 'SqliteError';
}

/** Runs what decodes bytes, in which a damaged file makes it look beyond their end. @throws SqliteError */
export function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RangeError) throw new SqliteError('the database is damaged', { cause: error });
    throw error;
  }
}
