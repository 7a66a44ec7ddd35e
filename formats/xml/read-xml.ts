import { SourceError } from '../source/source.ts';
import { createTagParser } from './parse-tag.ts';
import { isSpace } from './is-space.ts';
import { createKnownTexts } from './known-texts.ts';
import { resolveReferences, resolveText, skipMarkup } from './resolve-text.ts';
import { leapOverElement, skipElement } from './skip-element.ts';
import { fault, needMore } from './xml-fault.ts';
import type { XmlName } from './xml-name.ts';
import { createXmlScopes } from './xml-scopes.ts';
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
    await readWindow(window, createParser(window, handler), options.endsAnywhere === true);
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
    const open = parser.open();
    const rest = window.bytes.toString('utf8', window.at, window.end).trim();
    if (!endsAnywhere && (open !== undefined || rest !== '')) {
      const inside = open === undefined ? '' : ` inside of <${open.qualified}>`;
      throw new SourceError(
        'truncatedFile',
        `the file ends${inside}: it is incomplete, upload it again`,
        place,
      );
    }
    if (!parser.sawRoot()) throw new SourceError('brokenXml', 'the file contains no XML element', place);
    return;
  }
}

interface Parser {
  step(): void;
  open(): XmlName | undefined;
  sawRoot(): boolean;
}

function createParser(window: XmlWindow, handler: XmlHandler): Parser {
  const scopes = createXmlScopes();
  const texts = createKnownTexts((start, end) => resolveReferences(window, start, end));
  const tag = createTagParser(window, scopes, texts);
  let sawRoot = false;
  let tagAt = 0;
  let tagEnd = 0;
  let isResolved = false;
  /** Number of open elements within the skipped one. */
  let skipping: number | undefined;
  const keepDepth = (depth: number): void => {
    skipping = depth;
  };
  const xml = {
    name: undefined as unknown as XmlName,
    depth: 0,
    bytes: window.bytes,
    textStart: 0,
    textEnd: 0,
    namespace: (): string | undefined => scopes.namespaceOf(xml.name),
    attribute: (local: string): string | undefined => tag.attribute(local),
    attributes: (): Record<string, string> => tag.attributes(),
    text(): string {
      const { bytes } = xml;
      let { textStart: start, textEnd: end } = xml;
      if (isResolved) return bytes.toString('utf8', start, end).trim();
      while (start < end && isSpace(bytes[start])) start++;
      while (end > start && isSpace(bytes[end - 1])) end--;
      return texts.find(bytes, start, end).trim();
    },
    hold: (): void => window.hold(tagAt),
    release: (): void => window.release(),
    skip(): void {
      skipping = tag.selfClosing ? undefined : 0;
    },
    heldPlace: (): XmlPlace => window.heldPlace(),
    tagStart: (): number => window.offsetOf(tagAt),
    tagEnd: (): number => window.offsetOf(tagEnd),
    tagPlace: (): XmlPlace => window.placeOf(tagAt),
    takeBadText(): boolean {
      const bad = window.badText;
      window.badText = false;
      return bad;
    },
    openTags: (inner: number): string => scopes.openTags(inner),
  };

  /** Gives the handler the text from `start`. @returns the tag behind it */
  const readText = (start: number): number => {
    const { bytes } = window;
    const soon = start + shortText;
    let at = start;
    while (bytes[at] !== lessThan && at < soon) at++;
    if (at === soon) at = bytes.indexOf(lessThan, at);
    if (at < 0 || at + 1 >= window.end) throw needMore;
    if (bytes[at + 1] !== 33 && bytes[at + 1] !== 63) {
      xml.bytes = bytes;
      isResolved = false;
      xml.textStart = start;
      xml.textEnd = at;
      return at;
    }
    const { text, end } = resolveText(window, start);
    xml.bytes = Buffer.from(text);
    isResolved = true;
    xml.textStart = 0;
    xml.textEnd = text.trim() === '' ? 0 : xml.bytes.length;
    return end;
  };
  const open = (): void => {
    if (scopes.depth === maxElementDepth) {
      const message = `elements are nested more than ${maxElementDepth} deep`;
      throw new SourceError('unsupported', message, window.placeOf(tagAt));
    }
    scopes.open(tag.name);
    xml.name = tag.name;
    xml.depth = scopes.depth;
    handler.start(xml);
  };
  const close = (): void => {
    xml.name = scopes.innermost!;
    xml.depth = scopes.depth;
    handler.end(xml);
    scopes.close();
  };

  return {
    open: () => scopes.innermost,
    sawRoot: () => sawRoot,
    step() {
      if (skipping !== undefined) {
        if (skipping > 0 || !leapOverElement(window, xml.name)) skipElement(window, skipping, keepDepth);
        skipping = undefined;
      }
      const { bytes } = window;
      let at = window.at;
      let byte = bytes[at]!;
      while (isSpace(byte)) byte = bytes[++at]!;
      const outside = scopes.depth === 0;
      let hasText = false;
      if (byte !== lessThan || bytes[at + 1] === 33 || bytes[at + 1] === 63) {
        if (outside) {
          if (byte !== lessThan) fault(window, at, 'the file has text outside its root element');
          window.at = skipMarkup(window, at);
          return;
        }
        at = readText(at);
        hasText = xml.textEnd > xml.textStart;
      }
      if (at + 1 >= window.end) throw needMore;
      tagAt = at;
      const closes = bytes[at + 1] === 47;
      if (outside && sawRoot && !closes) fault(window, at, 'the file has a second root element');
      tagEnd = closes ? tag.parseClosing(at) : tag.parseOpening(at);
      if (hasText) handler.text(xml);
      // Handlers may throw what they like, but nothing is begun again behind here.
      window.at = tagEnd;
      if (closes) return close();
      sawRoot = true;
      open();
      if (tag.selfClosing) close();
    },
  };
}
