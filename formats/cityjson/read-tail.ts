import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { parseAt, skipSpace, skipValue } from '../json/scan-members.ts';
import type { CityJsonScan } from './city-json.ts';
import { takeHeader } from './scan-city-json.ts';

const tailBytes = 1 << 20;
const headers = ['version', 'metadata', 'transform', 'extensions'];

/** Reads the end of a file that is too large to read whole: its metadata may be there. */
export async function readTail(bytes: Bytes, scan: CityJsonScan): Promise<void> {
  let tail: Uint8Array;
  try {
    tail = await bytes.read(Math.max(0, bytes.size - tailBytes), tailBytes);
  } catch (error) {
    if (error instanceof BytesError) return;
    throw error;
  }
  const text = Buffer.from(tail.buffer, tail.byteOffset, tail.length);
  for (const name of headers) {
    const quoted = `"${name}"`;
    const found = text.lastIndexOf(quoted);
    if (found < 0) continue;
    const colon = skipSpace(text, found + quoted.length);
    if (text[colon] !== 58) continue;
    const start = skipSpace(text, colon + 1);
    const end = skipValue(text, start);
    if (end > start) takeHeader(scan, name, parseAt(text, start, end));
  }
}
