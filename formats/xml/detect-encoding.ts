/**
 * The label of the encoding an XML text is in, by its first bytes (XML 1.0, appendix F): the byte order mark, the
 * zero bytes of UTF-16, the declaration; otherwise UTF-8.
 */
export function detectEncoding(head: Uint8Array): string {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 256)).toString('latin1');
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1];
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  return declared === undefined || /^(utf-?16|ucs-?2|iso-10646)/i.test(declared) ? 'utf-8' : declared;
}
