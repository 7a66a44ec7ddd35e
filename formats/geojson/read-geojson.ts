import { createFeature, type FeaturePlace, type VisitFeature } from '../feature/feature.ts';
import { SourceError } from '../source/source.ts';
import { needMore, skipSpace, SyntaxFault, type Cursor } from './cursor.ts';
import { createLineWatch } from './line-watch.ts';
import { createObjectParser } from './parse-feature.ts';

export interface ReadOptions {
  /** Any label of TextDecoder that keeps ASCII as it is; UTF-8 by default. */
  readonly encoding?: string;
  /** A longer feature is refused; all of it must be in memory at once. */
  readonly maxFeatureBytes?: number;
  /** As in `ReadPartOptions`. */
  readonly keepsHeights?: boolean | undefined;
  /** The `crs` member of a FeatureCollection; `late` if features came before it. */
  readonly onCrs?: (crs: unknown, late: boolean) => void;
  /** A range of a file that begins and ends at features. */
  readonly range?: GeoJsonRange;
}

/** A range of the file in bytes; the chunks begin at `start`. */
export interface GeoJsonRange {
  readonly start: number;
  /** Start of the first feature behind the range; infinite for the last one. */
  readonly end: number;
  /** Whether the range begins inside the features of a FeatureCollection. */
  readonly inCollection: boolean;
  /** The number of lines before the range; called only when a position is reported. */
  readonly linesBefore: () => number;
}

/**
 * Reads GeoJSON of any length: a FeatureCollection, or any sequence of Features, bare geometries and
 * FeatureCollections, one per line, between record separators (RFC 8142), or simply one after the other. Of one per
 * line, a line that is not JSON is a feature with a problem.
 * @returns the number of features
 * @throws SourceError also if a range does not end between features, because the file changed since it was divided
 */
export async function readGeoJson(
  chunks: AsyncIterable<Uint8Array>,
  visit: VisitFeature,
  options: ReadOptions = {},
): Promise<number> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    return await readWindow(
      createWindow(source, options.maxFeatureBytes ?? 256 * 2 ** 20, options.range),
      visit,
      options,
    );
  } finally {
    await source.return?.(); // a part ends before its file, and a visitor may throw
  }
}

async function readWindow(window: Window, visit: VisitFeature, options: ReadOptions): Promise<number> {
  const { cursor } = window;
  const end = options.range?.end ?? Infinity;
  let features = 0;
  let inCollection = options.range?.inCollection ?? false;
  let first = true;
  let reachedEnd = false;
  let atLine = -1;
  const place = (at = cursor.at): FeaturePlace => ({ feature: features + 1, ...window.placeOf(at) });
  const placeOfFeature = (): FeaturePlace => place(atLine);
  const parser = createObjectParser(createDecode(options.encoding, place), options.keepsHeights);
  const broken = { ...createFeature(), isBroken: true };
  const lines = createLineWatch(cursor, (at) => window.byteOf(at));

  /** One step from the cursor; false at the end of the text. Begun again whenever the window was too short. */
  const step = (): boolean => {
    let byte = skipSpace(cursor);
    if (inCollection) {
      if (byte === 93) {
        cursor.at++;
        parser.parseRest(cursor);
        inCollection = false;
        if ('crs' in parser.collection) options.onCrs?.(parser.collection['crs'], features > 0);
        return true;
      }
      if (!first) {
        if (byte === 0 && cursor.at >= cursor.end) throw needMore;
        if (byte !== 44) throw new SyntaxFault('"," or "]" expected after a feature', cursor.at);
        cursor.at++;
      }
    } else {
      while (byte === 0x1e) {
        cursor.at++;
        byte = skipSpace(cursor);
      }
      if (byte === 0 && cursor.at >= cursor.end) return false;
    }
    skipSpace(cursor);
    atLine = cursor.at;
    if (window.byteOf(atLine) >= end) {
      reachedEnd = window.byteOf(atLine) === end;
      if (!reachedEnd) throw wronglyDivided();
      return false;
    }
    const kind = parser.parseObject(cursor);
    lines.record(window.byteOf(atLine), window.byteOf(cursor.at));
    if (kind === 'collection') {
      if (inCollection) throw new SyntaxFault('a FeatureCollection must not contain another', atLine);
      inCollection = true;
      first = true;
      if ('crs' in parser.collection) {
        options.onCrs?.(parser.collection['crs'], features > 0);
        delete parser.collection['crs'];
      }
      return true;
    }
    if (kind === 'other' && !inCollection && features === 0) {
      throw new SourceError(
        'notGeoJson',
        parser.feature.problem ?? 'the object is not GeoJSON',
        placeOfFeature(),
      );
    }
    if (kind === 'other') parser.feature.problem ??= 'the object is not a feature';
    first = false;
    visit(parser.feature, placeOfFeature);
    features++;
    return true;
  };

  /** Reads on where the window was too short, else sets the line aside. @throws SourceError where it can do neither */
  const recover = async (error: unknown, start: number): Promise<void> => {
    const isShort = error === needMore;
    if (!isShort && !(error instanceof SyntaxFault)) throw error;
    cursor.at = start;
    const isWhole = !inCollection && lines.areSure() && lines.hasEnd();
    if (isShort && !isWhole && (await window.fill())) return;
    if (window.tooLong) throw new SourceError('featureTooLarge', 'the feature is too large', place());
    while (!inCollection && !lines.hasEnd() && (await window.fill()));
    const line = inCollection ? undefined : lines.badLine({ isFirst: features === 0, isShort });
    const reason = isShort ? 'the text is cut off' : (error as SyntaxFault).message;
    if (line === undefined) {
      const at = isShort ? cursor.end : cursor.at + (error as SyntaxFault).at - start;
      throw new SourceError('brokenJson', reason, place(at));
    }
    atLine = line.start;
    broken.problem = `it is not valid JSON: ${reason}`;
    visit(broken, placeOfFeature);
    features++;
    cursor.at = line.end;
  };

  await window.fill();
  refuseUtf16(cursor, place);
  if (cursor.bytes[0] === 0xef && cursor.bytes[1] === 0xbb && cursor.bytes[2] === 0xbf) cursor.at = 3;
  for (;;) {
    const start = cursor.at;
    try {
      if (!step() && (reachedEnd || !(await window.fill()))) break;
    } catch (error) {
      await recover(error, start);
    }
  }
  if (!reachedEnd && end !== Infinity) throw wronglyDivided();
  return features;
}

function wronglyDivided(): SourceError {
  return new SourceError(
    'brokenFile',
    'the file changed while it was read: no feature begins where it was divided',
  );
}

function createDecode(
  encoding: string | undefined,
  place: () => FeaturePlace,
): (bytes: Buffer, start: number, end: number) => string {
  if (encoding === undefined || /^utf-?8$/i.test(encoding))
    return (bytes, start, end) => bytes.toString('utf8', start, end);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding);
  } catch {
    throw new SourceError('unknownEncoding', `the encoding "${encoding}" is unknown`, place());
  }
  if (decoder.encoding.startsWith('utf-16')) {
    throw new SourceError('unknownEncoding', 'UTF-16 is not supported: save the file as UTF-8', place());
  }
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
}

function refuseUtf16({ bytes, end }: Cursor, place: () => FeaturePlace): void {
  const [a, b] = bytes;
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (end >= 2 && (marked || a === 0 || b === 0)) {
    throw new SourceError('unknownEncoding', 'this looks like UTF-16: save the file as UTF-8', place());
  }
}

interface Window {
  readonly cursor: Cursor;
  readonly tooLong: boolean;
  /** Drops the text before the cursor and reads on; false at the end of the text or of the permitted size. */
  fill(): Promise<boolean>;
  byteOf(at: number): number;
  placeOf(at: number): { line: number; byte: number };
}

const minWindowBytes = 1 << 20;
const firstWindow = 1 << 16;

function createWindow(
  source: AsyncIterator<Uint8Array>,
  maxBytes: number,
  range: GeoJsonRange | undefined,
): Window {
  const cursor: Cursor = { bytes: Buffer.alloc(firstWindow), at: 0, end: 0 };
  let passedBytes = range?.start ?? 0;
  let passedLines = 0;
  let ended = false;
  let tooLong = false;
  let countedTo = 0;
  let counted = 0;
  /** Continues from the previous place, because places are requested in order. */
  const countLines = (until: number): number => {
    if (until < countedTo) countedTo = counted = 0;
    let at = cursor.bytes.indexOf(10, countedTo);
    for (; at >= 0 && at < until; at = cursor.bytes.indexOf(10, at + 1)) counted++;
    countedTo = until;
    return counted;
  };
  return {
    cursor,
    get tooLong() {
      return tooLong;
    },
    async fill() {
      const open = cursor.end - cursor.at;
      if (open > maxBytes) {
        tooLong = true;
        return false;
      }
      passedLines += countLines(cursor.at);
      passedBytes += cursor.at;
      countedTo = counted = 0;
      cursor.bytes.copyWithin(0, cursor.at, cursor.end);
      cursor.at = 0;
      cursor.end = open;
      // At least doubles the open text, so that parsing a feature again costs no more than reading it twice.
      const byteCount = Math.max(minWindowBytes, open * 2);
      while (!ended && cursor.end < byteCount) {
        const next = await source.next();
        if (next.done === true) {
          ended = true;
          break;
        }
        const needed = cursor.end + next.value.length + 1;
        if (needed > cursor.bytes.length) {
          const larger = Buffer.alloc(Math.max(needed, cursor.bytes.length * 2));
          cursor.bytes.copy(larger, 0, 0, cursor.end);
          cursor.bytes = larger;
        }
        cursor.bytes.set(next.value, cursor.end);
        cursor.end += next.value.length;
      }
      cursor.bytes[cursor.end] = 0;
      return cursor.end > open;
    },
    byteOf: (at) => passedBytes + at,
    placeOf: (at) => ({
      line: (range?.linesBefore() ?? 0) + passedLines + countLines(at) + 1,
      byte: passedBytes + at,
    }),
  };
}
