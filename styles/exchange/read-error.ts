/**
 * A file that cannot be read as a style, or a style that cannot be written as a file. The message names what is wrong,
 * and where if that is known.
 */
export class StyleFileError extends Error {
  override readonly name = 'StyleFileError';
}
