import { SourceError } from '../source/source.ts';
import { isSpace } from './is-space.ts';
import type { KnownTexts } from './known-texts.ts';
import { resolveReferences } from './resolve-text.ts';
import { fault } from './xml-fault.ts';
import { createXmlNames, hashByte, isName, type XmlName } from './xml-name.ts';
import type { XmlScopes } from './xml-scopes.ts';
import type { XmlWindow } from './xml-window.ts';

export interface TagParser {
  /** Name of the last opening tag. */
  readonly name: XmlName;
  readonly selfClosing: boolean;
  /** @param at its `<` @returns what follows it */
  parseOpening(at: number): number;
  parseClosing(at: number): number;
  /** By local name. */
  attribute(local: string): string | undefined;
  attributes(): Record<string, string>;
}

const maxAttributes = 1024;
const xmlns = Buffer.from('xmlns');

export function createTagParser(window: XmlWindow, scopes: XmlScopes, texts: KnownTexts): TagParser {
  const names = createXmlNames();
  /** Four offsets per attribute: start and end of its local name, start and end of its value. */
  const attributes = new Int32Array(maxAttributes * 4);
  let attributeCount = 0;
  let name: XmlName | undefined;
  let selfClosing = false;

  const parseName = (start: number): number => {
    const { bytes } = window;
    // Files of one schema repeat themselves: mostly the same name follows as the last time.
    const expected = name?.next;
    if (expected !== undefined && isName(expected, bytes, start)) {
      const end = start + expected.bytes.length;
      if (bytes[end] === 62 || bytes[end] === 32) {
        name = expected;
        return end;
      }
    }
    let at = start;
    let hash = 0;
    for (;;) {
      const byte = bytes[at]!;
      if (byte <= 32 || byte === 62 || byte === 47) break;
      if (byte === 60 || byte === 34 || byte === 39 || byte === 61 || byte === 38) {
        fault(window, at, 'a name contains a character that is not allowed');
      }
      hash = hashByte(hash, byte);
      at++;
    }
    if (at === start) fault(window, at, 'the name after "<" is missing');
    const found = names.find(bytes, start, at, hash);
    if (name !== undefined) name.next = found;
    name = found;
    return at;
  };

  /** @param start of its name @returns what follows its value */
  const parseAttribute = (start: number): number => {
    const { bytes } = window;
    let at = start;
    let local = start;
    for (let byte = bytes[at]!; byte > 32 && byte !== 61; byte = bytes[++at]!) {
      if (byte === 58) local = at + 1;
      else if (byte === 60 || byte === 62 || byte === 34 || byte === 39) {
        fault(window, at, 'an attribute has no value');
      }
    }
    const nameEnd = at;
    at = skipSpace(bytes, at);
    if (bytes[at] !== 61) fault(window, at, 'an attribute has no value');
    at = skipSpace(bytes, at + 1);
    const quote = bytes[at];
    if (quote !== 34 && quote !== 39) fault(window, at, 'the value of an attribute is not in quotes');
    const valueStart = ++at;
    while (bytes[at] !== quote) {
      if (bytes[at] === 60) fault(window, at, 'the value of an attribute contains "<" or is not closed');
      at++;
    }
    if (isDeclaration(bytes, start, nameEnd)) {
      const prefix = local === start ? '' : bytes.toString('utf8', local, nameEnd);
      declarations.push(prefix, resolveReferences(window, valueStart, at));
    } else {
      if (attributeCount === maxAttributes) {
        const message = `a tag has more than ${maxAttributes} attributes`;
        throw new SourceError('unsupported', message, window.placeOf(start));
      }
      const slot = attributeCount++ * 4;
      attributes[slot] = local;
      attributes[slot + 1] = nameEnd;
      attributes[slot + 2] = valueStart;
      attributes[slot + 3] = at;
    }
    return at + 1;
  };
  /** Made when the tag is whole, as it may have to be begun again. */
  const declarations: string[] = [];

  const refuseClosing = (start: number): never => {
    const { bytes } = window;
    let end = start + 2;
    while (bytes[end] !== 62 && bytes[end] !== 60) end++;
    const found = bytes.toString('utf8', start, Math.min(end + 1, start + 64));
    const open = scopes.innermost;
    const reason = open === undefined ? 'closes nothing' : `is in the place of </${open.qualified}>`;
    return fault(window, end, `${found} ${reason}`);
  };

  return {
    get name() {
      return name!;
    },
    get selfClosing() {
      return selfClosing;
    },
    parseOpening(start) {
      const { bytes } = window;
      attributeCount = 0;
      if (declarations.length > 0) declarations.length = 0;
      selfClosing = false;
      let at = parseName(start + 1);
      while (bytes[at] !== 62) {
        const before = at;
        at = skipSpace(bytes, at);
        const byte = bytes[at];
        if (byte === 62) break;
        if (byte === 47) {
          if (bytes[++at] !== 62) fault(window, at, '">" expected after "/"');
          selfClosing = true;
          break;
        }
        if (at === before) fault(window, at, 'white space expected in a tag');
        at = parseAttribute(at);
      }
      if (at >= window.end) fault(window, at, '');
      for (let i = 0; i < declarations.length; i += 2) scopes.declare(declarations[i]!, declarations[i + 1]!);
      return at + 1;
    },
    parseClosing(start) {
      const { bytes } = window;
      const open = scopes.innermost;
      let at = open !== undefined && isName(open, bytes, start + 2) ? start + 2 + open.bytes.length : start;
      if (at > start) at = skipSpace(bytes, at);
      if (bytes[at] !== 62 || at >= window.end) refuseClosing(start);
      return at + 1;
    },
    attribute(local) {
      const { bytes } = window;
      for (let i = 0; i < attributeCount * 4; i += 4) {
        const start = attributes[i]!;
        if (attributes[i + 1]! - start !== local.length) continue;
        let same = 0;
        while (same < local.length && bytes[start + same] === local.charCodeAt(same)) same++;
        if (same === local.length) return texts.find(bytes, attributes[i + 2]!, attributes[i + 3]!);
      }
      return undefined;
    },
    attributes() {
      const pairs: [string, string][] = [];
      for (let i = 0; i < attributeCount * 4; i += 4) {
        const local = window.bytes.toString('utf8', attributes[i], attributes[i + 1]);
        pairs.push([local, texts.find(window.bytes, attributes[i + 2]!, attributes[i + 3]!)]);
      }
      return Object.fromEntries(pairs);
    },
  };
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

function isDeclaration(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 5 || (end - start > 5 && bytes[start + 5] !== 58)) return false;
  for (let i = 0; i < 5; i++) if (bytes[start + i] !== xmlns[i]) return false;
  return true;
}
