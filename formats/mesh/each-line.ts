const newline = 10;
/** No line of a model is longer: of what has no ends of lines nothing more is kept. */
const maxLineBytes = 4 << 20;

/** Valid during the call only. */
export type VisitLine = (bytes: Buffer, start: number, end: number) => void;

/** The lines of a text, without what ends them. @returns the bytes gone over */
export async function eachLine(chunks: AsyncIterable<Uint8Array>, visit: VisitLine): Promise<number> {
  let rest = Buffer.alloc(0);
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, at)) {
      visit(bytes, at, end);
      at = end + 1;
    }
    rest = bytes.length - at > maxLineBytes ? Buffer.alloc(0) : bytes.subarray(at);
  }
  if (rest.length > 0) visit(rest, 0, rest.length);
  return total;
}
