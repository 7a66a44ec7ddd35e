import { isSpace } from '../xml/is-space.ts';

const [equals, letterI, letterD] = [61, 105, 100];
const quotes = new Set([34, 39]);
/** What stands between the name of an attribute and its value; more spaces are not expected. */
const maxSyntaxBytes = 64;

/**
 * The wanted ids that attributes called id, with any prefix, have in XML in UTF-8. Searches bytes instead of parsing, so
 * ids in comments or texts may be found as well.
 */
export async function findIds(
  chunks: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let maxIdBytes = 0;
  for (const id of wanted) maxIdBytes = Math.max(maxIdBytes, Buffer.byteLength(id));
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(equals); at >= 0; at = bytes.indexOf(equals, at + 1)) {
      let name = at - 1;
      while (isSpace(bytes[name])) name--;
      if (bytes[name] !== letterD || bytes[name - 1] !== letterI) continue;
      const id = valueAt(bytes, at + 1, maxIdBytes);
      if (id !== undefined && wanted.has(id)) found.add(id);
    }
    // an attribute that may go on in the next chunk is searched again with it
    rest = bytes.subarray(Math.max(0, bytes.length - maxIdBytes - maxSyntaxBytes));
  }
  return found;
}

function valueAt(bytes: Buffer, start: number, maxIdBytes: number): string | undefined {
  let at = start;
  while (isSpace(bytes[at])) at++;
  const quote = bytes[at]!;
  if (!quotes.has(quote)) return undefined;
  const end = bytes.subarray(0, at + maxIdBytes + 2).indexOf(quote, at + 1);
  return end < 0 ? undefined : bytes.toString('utf8', at + 1, end);
}
