import { BytesError } from '../bytes/bytes.ts';

/** What is wrong with a zip file, in words that follow a colon. */
export class ZipError extends BytesError {
  override readonly name = 'ZipError';
}
