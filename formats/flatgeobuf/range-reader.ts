/** What reads a file at a place: a file handle, or anything that is like one. */
export interface RangeReader {
  read(into: Buffer, at: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}
