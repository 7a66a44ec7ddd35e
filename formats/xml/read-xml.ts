import { SourceError } from '../source/source.ts';
import { TagParser } from './parse-tag.ts';
import { isSpace } from './is-space.ts';
import { createKnownTexts, type KnownTexts } from './known-texts.ts';
import { resolveReferences, resolveText, skipMarkup } from './resolve-text.ts';
import { leapOverElement, skipElement } from './skip-element.ts';
import { fault, needMore } from './xml-fault.ts';
import type { XmlName } from './xml-name.ts';
import { XmlScopes } from './xml-scopes.ts';
import { createXmlWindow, type XmlPlace, type XmlWindow } from './xml-window.ts';

/** State of the reader; valid only during a call of the handler. */
export interface XmlReader {
  /** Name of the tag. */
  readonly name: XmlName;
  /** Number of open elements, including that of the tag. */
  readonly depth: number;
  /** Namespace of the element. */
  namespace(): string | undefined;
  /** An attribute of the opening tag by local name. */
  attribute(local: string): string | undefined;
  /** All attributes of the opening tag by local name, without namespace declarations. */
  attributes(): Record<string, string>;
  /** The text in UTF-8, from `textStart` to `textEnd`; white space around it, and references, may be left. */
  readonly bytes: Buffer;
  readonly textStart: number;
  readonly textEnd: number;
  text(): string;
  /** A feature begins with this tag: it may not be longer than permitted until it is released. */
  hold(): void;
  release(): void;
  /** Skips the content of the element that begins: its end comes next. The content is hardly checked. */
  skip(): void;
  heldPlace(): XmlPlace;
  /** Bytes of the text before the tag, and up to its end. */
  tagStart(): number;
  tagEnd(): number;
  tagPlace(): XmlPlace;
  /** Returns whether a text since the last call was not valid UTF-8. */
  takeBadText(): boolean;
  /** The tags of all open elements, except the innermost `inner`, with their namespaces. */
  openTags(inner: number): string;
}

export interface XmlHandler {
  start(xml: XmlReader): void;
  end(xml: XmlReader): void;
  /** Called with the text between two tags unless it is only white space, before the second tag is handled. */
  text(xml: XmlReader): void;
}

export interface ReadXmlOptions {
  /** Limit of a text, a tag or the held range. */
  readonly maxBytes: number;
  /** Called now and then with the bytes read. */
  readonly onRead?: (bytes: number) => void;
  /** The text is a range of a file: it may end with elements open, and in the middle of a tag. */
  readonly endsAnywhere?: boolean;
  /** Skips a DOCTYPE, and keeps references that XML does not name as they are, instead of refusing both. */
  readonly isLenient?: boolean;
  /** Encoding of the file: unless it is UTF-8, places have no byte offsets. */
  readonly encoding?: string;
}

const maxElementDepth = 256;
const lessThan = 60;
/** Up to here a loop finds the end of a text faster than a call of something native does. */
const shortText = 48;

/**
 * Reads XML of any length in UTF-8: checks that it is well-formed as far as its structure goes, refuses a DOCTYPE,
 * and does not validate. Over bytes, so that coordinates need not become strings.
 * @throws SourceError brokenXml, truncatedFile, unsupported, featureTooLarge
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  options: ReadXmlOptions,
): Promise<void> {
  const { maxBytes, onRead = () => {}, encoding = 'utf-8', isLenient = false } = options;
  const window = createXmlWindow(chunks, {
    maxBytes,
    hasBytes: encoding === 'utf-8',
    isLenient,
    onFill: onRead,
  });
  try {
    await readWindow(window, new Parser(window, handler), options.endsAnywhere === true);
  } finally {
    await window.close();
  }
}

async function readWindow(window: XmlWindow, parser: Parser, endsAnywhere: boolean): Promise<void> {
  await window.fill();
  if (window.bytes[0] === 0xef && window.bytes[1] === 0xbb && window.bytes[2] === 0xbf) window.at = 3;
  for (;;) {
    try {
      for (;;) parser.step();
    } catch (error) {
      if (error !== needMore) throw error;
    }
    if (await window.fill()) continue;
    const place = window.placeOf(window.end);
    const { innermost: open } = parser;
    const rest = window.bytes.toString('utf8', window.at, window.end).trim();
    if (!endsAnywhere && (open !== undefined || rest !== '')) {
      const inside = open === undefined ? '' : ` inside of <${open.qualified}>`;
      throw new SourceError(
        'truncatedFile',
        `the file ends${inside}: it is incomplete, upload it again`,
        place,
      );
    }
    if (!parser.sawRoot) throw new SourceError('brokenXml', 'the file contains no XML element', place);
    return;
  }
}

class Parser implements XmlReader {
  name = undefined as unknown as XmlName;
  depth = 0;
  bytes: Buffer;
  textStart = 0;
  textEnd = 0;
  sawRoot = false;
  readonly #window: XmlWindow;
  readonly #handler: XmlHandler;
  readonly #scopes = new XmlScopes();
  readonly #texts: KnownTexts;
  readonly #tag: TagParser;
  #tagAt = 0;
  #tagEnd = 0;
  #isResolved = false;
  /** Number of open elements within the skipped one. */
  #skipping: number | undefined;

  constructor(window: XmlWindow, handler: XmlHandler) {
    this.#window = window;
    this.#handler = handler;
    this.bytes = window.bytes;
    this.#texts = createKnownTexts((start, end) => resolveReferences(window, start, end));
    this.#tag = new TagParser(window, this.#scopes, this.#texts);
  }

  get innermost(): XmlName | undefined {
    return this.#scopes.innermost;
  }
  namespace(): string | undefined {
    return this.#scopes.namespaceOf(this.name);
  }
  attribute(local: string): string | undefined {
    return this.#tag.attribute(local);
  }
  attributes(): Record<string, string> {
    return this.#tag.attributes();
  }
  text(): string {
    const { bytes } = this;
    let { textStart: start, textEnd: end } = this;
    if (this.#isResolved) return bytes.toString('utf8', start, end).trim();
    while (start < end && isSpace(bytes[start])) start++;
    while (end > start && isSpace(bytes[end - 1])) end--;
    return this.#texts.find(bytes, start, end).trim();
  }
  hold(): void {
    this.#window.hold(this.#tagAt);
  }
  release(): void {
    this.#window.release();
  }
  skip(): void {
    this.#skipping = this.#tag.selfClosing ? undefined : 0;
  }
  heldPlace(): XmlPlace {
    return this.#window.heldPlace();
  }
  tagStart(): number {
    return this.#window.offsetOf(this.#tagAt);
  }
  tagEnd(): number {
    return this.#window.offsetOf(this.#tagEnd);
  }
  tagPlace(): XmlPlace {
    return this.#window.placeOf(this.#tagAt);
  }
  takeBadText(): boolean {
    const bad = this.#window.badText;
    this.#window.badText = false;
    return bad;
  }
  openTags(inner: number): string {
    return this.#scopes.openTags(inner);
  }

  /** Reads up to the end of the next tag. Throws needMore if the window is too short. */
  step(): void {
    const window = this.#window;
    if (this.#skipping !== undefined) this.#skip(this.#skipping);
    const { bytes } = window;
    let at = window.at;
    let byte = bytes[at]!;
    while (isSpace(byte)) byte = bytes[++at]!;
    const outside = this.#scopes.depth === 0;
    let hasText = false;
    if (byte !== lessThan || bytes[at + 1] === 33 || bytes[at + 1] === 63) {
      if (outside) {
        if (byte !== lessThan) fault(window, at, 'the file has text outside its root element');
        window.at = skipMarkup(window, at);
        return;
      }
      at = this.#readText(at);
      hasText = this.textEnd > this.textStart;
    }
    if (at + 1 >= window.end) throw needMore;
    this.#tagAt = at;
    const closes = bytes[at + 1] === 47;
    if (outside && this.sawRoot && !closes) fault(window, at, 'the file has a second root element');
    const tag = this.#tag;
    const tagEnd = closes ? tag.parseClosing(at) : tag.parseOpening(at);
    this.#tagEnd = tagEnd;
    if (hasText) this.#handler.text(this);
    // Handlers may throw what they like, but nothing is begun again behind here.
    window.at = tagEnd;
    if (closes) return this.#close();
    this.sawRoot = true;
    this.#open();
    if (tag.selfClosing) this.#close();
  }

  #skip(depth: number): void {
    const window = this.#window;
    const keepDepth = (open: number): void => {
      this.#skipping = open;
    };
    if (depth > 0 || !leapOverElement(window, this.name)) skipElement(window, depth, keepDepth);
    this.#skipping = undefined;
  }

  /** Gives the handler the text from `start`. @returns the tag behind it */
  #readText(start: number): number {
    const window = this.#window;
    const { bytes } = window;
    const soon = start + shortText;
    let at = start;
    while (bytes[at] !== lessThan && at < soon) at++;
    if (at === soon) at = bytes.indexOf(lessThan, at);
    if (at < 0 || at + 1 >= window.end) throw needMore;
    if (bytes[at + 1] !== 33 && bytes[at + 1] !== 63) {
      this.bytes = bytes;
      this.#isResolved = false;
      this.textStart = start;
      this.textEnd = at;
      return at;
    }
    const { text, end } = resolveText(window, start);
    this.bytes = Buffer.from(text);
    this.#isResolved = true;
    this.textStart = 0;
    this.textEnd = text.trim() === '' ? 0 : this.bytes.length;
    return end;
  }

  #open(): void {
    const scopes = this.#scopes;
    if (scopes.depth === maxElementDepth) {
      const message = `elements are nested more than ${maxElementDepth} deep`;
      throw new SourceError('unsupported', message, this.#window.placeOf(this.#tagAt));
    }
    const name = this.#tag.name!;
    scopes.open(name);
    this.name = name;
    this.depth = scopes.depth;
    this.#handler.start(this);
  }

  #close(): void {
    const scopes = this.#scopes;
    this.name = scopes.innermost!;
    this.depth = scopes.depth;
    this.#handler.end(this);
    scopes.close();
  }
}
