/** Four bytes at a time, such as a pixel of RGBA, whose alpha is then highest. Signed, as these are fast. */
export function wordsOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}
