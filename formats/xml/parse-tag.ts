import { SourceError } from '../source/source.ts';
import { isSpace } from './is-space.ts';
import type { KnownTexts } from './known-texts.ts';
import { resolveReferences } from './resolve-text.ts';
import { fault } from './xml-fault.ts';
import { createXmlNames, hashByte, isName, type XmlName } from './xml-name.ts';
import type { XmlScopes } from './xml-scopes.ts';
import type { XmlWindow } from './xml-window.ts';

const maxAttributes = 1024;
const xmlns = Buffer.from('xmlns');

export class TagParser {
  /** Name of the last opening tag. */
  name: XmlName | undefined;
  selfClosing = false;
  readonly #window: XmlWindow;
  readonly #scopes: XmlScopes;
  readonly #texts: KnownTexts;
  readonly #names = createXmlNames();
  /** Four offsets per attribute: start and end of its local name, start and end of its value. */
  readonly #attributes = new Int32Array(maxAttributes * 4);
  #attributeCount = 0;
  /** Made when the tag is whole, as it may have to be begun again. */
  readonly #declarations: string[] = [];

  constructor(window: XmlWindow, scopes: XmlScopes, texts: KnownTexts) {
    this.#window = window;
    this.#scopes = scopes;
    this.#texts = texts;
  }

  /** @param start its `<` @returns what follows it */
  parseOpening(start: number): number {
    const window = this.#window;
    const { bytes } = window;
    this.#attributeCount = 0;
    if (this.#declarations.length > 0) this.#declarations.length = 0;
    this.selfClosing = false;
    let at = this.#parseName(start + 1);
    while (bytes[at] !== 62) {
      const before = at;
      at = skipSpace(bytes, at);
      const byte = bytes[at];
      if (byte === 62) break;
      if (byte === 47) {
        if (bytes[++at] !== 62) fault(window, at, '">" expected after "/"');
        this.selfClosing = true;
        break;
      }
      if (at === before) fault(window, at, 'white space expected in a tag');
      at = this.#parseAttribute(at);
    }
    if (at >= window.end) fault(window, at, '');
    if (this.#declarations.length > 0) this.#declare();
    return at + 1;
  }

  parseClosing(start: number): number {
    const { bytes, end } = this.#window;
    const open = this.#scopes.innermost;
    let at = open !== undefined && isName(open, bytes, start + 2) ? start + 2 + open.bytes.length : start;
    if (at > start) at = skipSpace(bytes, at);
    if (bytes[at] !== 62 || at >= end) this.#refuseClosing(start);
    return at + 1;
  }

  /** By local name. */
  attribute(local: string): string | undefined {
    const { bytes } = this.#window;
    const attributes = this.#attributes;
    for (let i = 0; i < this.#attributeCount * 4; i += 4) {
      const start = attributes[i]!;
      if (attributes[i + 1]! - start !== local.length) continue;
      let same = 0;
      while (same < local.length && bytes[start + same] === local.charCodeAt(same)) same++;
      if (same === local.length) return this.#texts.find(bytes, attributes[i + 2]!, attributes[i + 3]!);
    }
    return undefined;
  }

  attributes(): Record<string, string> {
    const { bytes } = this.#window;
    const attributes = this.#attributes;
    const pairs: [string, string][] = [];
    for (let i = 0; i < this.#attributeCount * 4; i += 4) {
      const local = bytes.toString('utf8', attributes[i], attributes[i + 1]);
      pairs.push([local, this.#texts.find(bytes, attributes[i + 2]!, attributes[i + 3]!)]);
    }
    return Object.fromEntries(pairs);
  }

  #parseName(start: number): number {
    const window = this.#window;
    const { bytes } = window;
    const before = this.name;
    // Files of one schema repeat themselves: mostly the same name follows as the last time.
    const expected = before?.next;
    if (expected !== undefined && isName(expected, bytes, start)) {
      const end = start + expected.bytes.length;
      if (bytes[end] === 62 || bytes[end] === 32) {
        this.name = expected;
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
    const found = this.#names.find(bytes, start, at, hash);
    if (before !== undefined) before.next = found;
    this.name = found;
    return at;
  }

  /** @param start of its name @returns what follows its value */
  #parseAttribute(start: number): number {
    const window = this.#window;
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
      this.#declarations.push(prefix, resolveReferences(window, valueStart, at));
    } else {
      if (this.#attributeCount === maxAttributes) {
        const message = `a tag has more than ${maxAttributes} attributes`;
        throw new SourceError('unsupported', message, window.placeOf(start));
      }
      const slot = this.#attributeCount++ * 4;
      const attributes = this.#attributes;
      attributes[slot] = local;
      attributes[slot + 1] = nameEnd;
      attributes[slot + 2] = valueStart;
      attributes[slot + 3] = at;
    }
    return at + 1;
  }

  #declare(): void {
    const declarations = this.#declarations;
    for (let i = 0; i < declarations.length; i += 2)
      this.#scopes.declare(declarations[i]!, declarations[i + 1]!);
  }

  #refuseClosing(start: number): never {
    const { bytes } = this.#window;
    let end = start + 2;
    while (bytes[end] !== 62 && bytes[end] !== 60) end++;
    const found = bytes.toString('utf8', start, Math.min(end + 1, start + 64));
    const open = this.#scopes.innermost;
    const reason = open === undefined ? 'closes nothing' : `is in the place of </${open.qualified}>`;
    return fault(this.#window, end, `${found} ${reason}`);
  }
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
