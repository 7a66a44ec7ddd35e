/** A CRS that is not known, or that nothing on a map can be in. The message says what was understood, and what to do. */
export class UnknownCrs extends Error {
  override readonly name = 'UnknownCrs';
}
