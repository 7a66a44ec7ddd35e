import type { Bytes } from '../../bytes/bytes.ts';
import type { TextLayout } from './text-layout.ts';

const defaultWindowBytes = 1 << 20;
const maxWindows = 16;

/** Lines from all over a long text, as if they were all. PTX have heads between their rows: of them it is the beginning. */
export async function sampleLines(
  bytes: Bytes,
  { start, kind }: TextLayout,
  windowBytes = defaultWindowBytes,
): Promise<{ readonly bytes: Bytes; readonly isWhole: boolean }> {
  const size = bytes.size - start;
  if (size <= windowBytes * maxWindows) return { bytes, isWhole: true };
  const windows: Uint8Array[] = [];
  for (let i = 0; i < maxWindows; i++) {
    const at = kind === 'ptx' ? i * windowBytes : Math.floor(((size - windowBytes) * i) / (maxWindows - 1));
    const window = await bytes.read(i === 0 ? 0 : start + at, windowBytes);
    windows.push(kind === 'ptx' ? window : wholeLines(window, i === 0));
  }
  const joined = Buffer.concat(windows);
  const read = async (offset: number, length: number) => joined.subarray(offset, offset + length);
  return { bytes: { size: joined.length, read }, isWhole: false };
}

function wholeLines(window: Uint8Array, isFirst: boolean): Uint8Array {
  const first = isFirst ? 0 : window.indexOf(10) + 1;
  return window.subarray(first, window.lastIndexOf(10) + 1);
}
