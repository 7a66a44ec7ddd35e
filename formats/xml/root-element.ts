import { detectEncoding } from './detect-encoding.ts';

export interface RootElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string | undefined;
}

const maxHeadBytes = 1 << 16;
/** Declaration, processing instructions, comments, and a DOCTYPE with its internal subset. */
const beforeRoot =
  /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE(?:[^[\]<>"']|"[^"]*"|'[^']*')*(?:\[[^\]]*\]\s*)?>/y;
const startTag =
  /<(?:([^\s<>/:="'!?]+):)?([^\s<>/:="'!?]+)(?=[\s/>])((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)/y;

/**
 * The first element of an XML text by its first bytes, a few hundred of which are nearly always enough; undefined
 * if it is not XML, or if comments fill the beginning. A tag that is cut off counts as far as its attributes are whole.
 */
export function rootElement(head: Uint8Array): RootElement | undefined {
  const text = decode(head.subarray(0, maxHeadBytes));
  let at = text.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    beforeRoot.lastIndex = at;
    if (!beforeRoot.test(text)) break;
    at = beforeRoot.lastIndex;
  }
  startTag.lastIndex = at;
  const tag = startTag.exec(text);
  if (tag === null) return undefined;
  const [, prefix, name, attributes] = tag;
  const declaration = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  for (const [, attribute, , double, single] of attributes!.matchAll(
    /(?<![^\s=])([^\s=]+)\s*=\s*("([^"]*)"|'([^']*)')/g,
  )) {
    if (attribute === declaration) return { name: name!, namespace: double ?? single };
  }
  return { name: name!, namespace: undefined };
}

function decode(head: Uint8Array): string {
  try {
    return new TextDecoder(detectEncoding(head)).decode(head);
  } catch {
    return new TextDecoder('latin1').decode(head);
  }
}
