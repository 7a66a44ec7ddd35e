/** Whether a text of ASCII is anywhere in the bytes. */
export async function containsText(chunks: AsyncIterable<Uint8Array>, text: string): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    if (bytes.includes(text, 0, 'latin1')) return true;
    rest = bytes.subarray(Math.max(0, bytes.length - text.length));
  }
  return false;
}
