import { isClean } from '../destinations/clean-path.ts';
import { ownFolder, type FileHeaders, type Destination } from '../destinations/destination.ts';

/** A file that we have written to a destination. */
export interface Held {
  /** Version of its content and form. */
  readonly version: string;
  /** In bytes, as stored. */
  readonly size: number;
}

/** The state of the destination after the last successful run. */
export interface Manifest {
  /** Files of that bundle. */
  readonly files: ReadonlyMap<string, Held>;
  /** Files that only the bundle before had; maps opened then may still request them. */
  readonly former: ReadonlyMap<string, Held>;
}

/**
 * Files that an unfinished run has touched, by path: their state, or undefined if unknown. The journal overrules the
 * manifest, whichever is newer, so a run may crash between any two steps.
 */
export type Journal = ReadonlyMap<string, Held | undefined>;

export interface Records {
  readonly manifest: Manifest;
  readonly journal: Journal;
  /** Set if a record exists but cannot be read. */
  readonly damaged?: 'manifest' | 'journal';
}

const manifestPath = `${ownFolder}/manifest.json`;
const journalPath = `${ownFolder}/journal.json`;
/** More than the records of the largest bundle need. */
const maxBytes = 400 * 1024 * 1024;
/** Parsed values take many times their bytes in memory. */
const maxValues = 24_000_000;
const format = 1;

const about: FileHeaders = { contentType: 'application/json', cacheControl: 'no-store', isGzipped: false };
const nothing: Manifest = { files: new Map(), former: new Map() };

/** Ignores damaged records; everything is sent again then. */
export async function readRecords(destination: Destination): Promise<Records> {
  const [manifest, journal] = [
    await readJson(destination, manifestPath, parseManifest),
    await readJson(destination, journalPath, parseJournal),
  ];
  if (manifest === 'damaged') return { manifest: nothing, journal: new Map(), damaged: 'manifest' };
  if (journal === 'damaged')
    return { manifest: nothing, journal: forgotten(manifest ?? nothing), damaged: 'journal' };
  return { manifest: manifest ?? nothing, journal: journal ?? new Map() };
}

/** Files that are ours, in an unknown state. */
function forgotten({ files, former }: Manifest): Journal {
  return new Map([...files.keys(), ...former.keys()].map((path) => [path, undefined]));
}

export async function writeManifest(destination: Destination, { files, former }: Manifest): Promise<void> {
  await writeJson(destination, manifestPath, { files: rowsOf(files), former: rowsOf(former) });
}

export async function writeJournal(destination: Destination, journal: Journal): Promise<void> {
  await writeJson(destination, journalPath, { touched: rowsOf(journal) });
}

export async function removeJournal(destination: Destination): Promise<void> {
  await destination.remove(journalPath);
}

type Row = readonly [path: string, version: string, size: number] | readonly [path: string];

function* rowsOf(files: ReadonlyMap<string, Held | undefined>): Iterable<Row> {
  for (const [path, held] of files) yield held ? [path, held.version, held.size] : [path];
}

async function writeJson(
  destination: Destination,
  path: string,
  lists: Readonly<Record<string, Iterable<Row>>>,
): Promise<void> {
  const draft = await destination.draft(path, jsonOf(lists), about);
  await draft.switch();
}

const rowsAtOnce = 1000;

/** Streams the JSON, as it may be long. */
async function* jsonOf(lists: Readonly<Record<string, Iterable<Row>>>): AsyncGenerator<Uint8Array> {
  let text = `{"platen":${format}`;
  for (const [name, rows] of Object.entries(lists)) {
    text += `,"${name}":[`;
    let count = 0;
    for (const row of rows) {
      text += `${count++ === 0 ? '' : ','}\n${JSON.stringify(row)}`;
      if (count % rowsAtOnce > 0) continue;
      yield Buffer.from(text);
      text = '';
    }
    text += ']';
  }
  yield Buffer.from(`${text}}\n`);
}

async function readJson<T>(
  destination: Destination,
  path: string,
  parse: (value: Readonly<Record<string, unknown>>) => T | undefined,
): Promise<T | 'damaged' | undefined> {
  const bytes = await destination.read(path, maxBytes);
  if (!bytes) return undefined;
  if (!hasFewValues(bytes)) return 'damaged';
  try {
    const value = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;
    return (value['platen'] === format ? parse(value) : undefined) ?? 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Counts separators: each value but the first follows one. Those in paths count as well. */
function hasFewValues(bytes: Uint8Array): boolean {
  let count = 0;
  for (const byte of bytes) if (byte === comma || byte === bracket || byte === brace) count++;
  return count <= maxValues;
}

const [comma, bracket, brace] = Buffer.from(',[{');

function parseManifest({ files, former }: Readonly<Record<string, unknown>>): Manifest | undefined {
  const [now, then] = [parseRows(files), parseRows(former)];
  if (!now || !then || [...now.values(), ...then.values()].includes(undefined)) return undefined;
  return { files: now as Map<string, Held>, former: then as Map<string, Held> };
}

function parseJournal({ touched }: Readonly<Record<string, unknown>>): Journal | undefined {
  return parseRows(touched);
}

/** Validates the rows: others may write at the destination, and files are removed by these paths. */
function parseRows(rows: unknown): Map<string, Held | undefined> | undefined {
  if (!Array.isArray(rows)) return undefined;
  const found = new Map<string, Held | undefined>();
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row)) return undefined;
    const [path, version, size] = row as unknown[];
    if (typeof path !== 'string' || !isCarried(path)) return undefined;
    if (row.length === 1) found.set(path, undefined);
    else if (typeof version === 'string' && Number.isSafeInteger(size))
      found.set(path, { version, size: size as number });
    else return undefined;
  }
  return found;
}

/** Whether a file of a bundle may have this path. */
export function isCarried(path: string): boolean {
  return isClean(path) && path !== ownFolder && !path.startsWith(`${ownFolder}/`);
}

/** All files that we have written, and those that we may have. */
export function heldBy({ manifest, journal }: Records): Map<string, Held | undefined> {
  return new Map<string, Held | undefined>([...manifest.former, ...manifest.files, ...journal]);
}
