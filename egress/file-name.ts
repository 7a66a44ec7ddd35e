const maxBytes = 200;

/**
 * The name of a downloaded file: from `Content-Disposition` (RFC 6266, `filename*` before `filename`), else the last
 * segment of the address, else `download`. Always one path segment that is valid on every file system.
 */
export function fileNameOf(url: string, disposition: string | undefined): string {
  const declared = disposition === undefined ? undefined : nameIn(disposition);
  const last = new URL(url).pathname.split('/').findLast((segment) => segment !== '');
  return clean(declared ?? '') || clean(decoded(last ?? '')) || 'download';
}

function nameIn(disposition: string): string | undefined {
  const exact = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (exact !== undefined) return decoded(exact);
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  return /;\s*filename\s*=\s*([^;\s]+)/i.exec(disposition)?.[1];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function clean(name: string): string {
  const segment = name.split(/[/\\]/).at(-1)!.toWellFormed();
  const plain = segment.replace(/[\p{Cc}:*?"<>|]/gu, '_').replace(/^[.\s]+/, '');
  let short = plain.trim().normalize('NFC');
  while (Buffer.byteLength(short) > maxBytes) short = short.slice(1); // cut at the front: the extension matters most
  return short.toWellFormed();
}
