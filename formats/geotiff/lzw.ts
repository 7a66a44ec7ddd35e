const clear = 256;
const end = 257;
const maxCodes = 4096;

/**
 * Unpacks LZW of TIFF: codes of 9 to 12 bits, highest bit first, growing one code early (TIFF 6, section 13). Damaged
 * data ends the output.
 * @returns at most `maxBytes` bytes
 */
export function unpackLzw(packed: Uint8Array, maxBytes: number): Uint8Array {
  const output = new Uint8Array(maxBytes);
  // each entry is a byte behind another entry
  const before = new Uint16Array(maxCodes);
  const last = new Uint8Array(maxCodes);
  const lengths = new Uint16Array(maxCodes);
  for (let code = 0; code < clear; code++) {
    last[code] = code;
    lengths[code] = 1;
  }
  let [length, width, next, previous] = [0, 9, end + 1, -1];
  let [bits, held, at] = [0, 0, 0];
  for (;;) {
    while (bits < width && at < packed.length) {
      held = ((held << 8) | packed[at++]!) & 0xff_ffff;
      bits += 8;
    }
    if (bits < width) break;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === end) break;
    if (code === clear) {
      [width, next, previous] = [9, end + 1, -1];
      continue;
    }
    if (code > next || (code === next && previous < 0)) break;
    if (previous >= 0 && next < maxCodes) {
      before[next] = previous;
      lengths[next] = lengths[previous]! + 1;
      last[next] = firstOf(code === next ? previous : code, before, lengths, last);
      next++;
    }
    if (code >= next) break;
    const size = lengths[code]!;
    let place = length + size - 1;
    for (let entry = code, left = size; left > 0; left--, place--) {
      if (place < maxBytes) output[place] = last[entry]!;
      entry = before[entry]!;
    }
    length += size;
    if (length >= maxBytes) return output;
    previous = code;
    if (next >= (1 << width) - 1 && width < 12) width++;
  }
  return output.subarray(0, length);
}

function firstOf(code: number, before: Uint16Array, lengths: Uint16Array, last: Uint8Array): number {
  let entry = code;
  while (lengths[entry]! > 1) entry = before[entry]!;
  return last[entry]!;
}
