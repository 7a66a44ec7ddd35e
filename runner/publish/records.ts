import { isClean } from '../destinations/clean-path.ts';
import { ownFolder, type FileHeaders, type Destination } from '../destinations/destination.ts';

/** One file at a destination, as we left it. */
export interface Held {
  /** Of its content, and of its form. */
  readonly version: string;
  /** In bytes, as it lies there. */
  readonly size: number;
}

/** What lies at the destination since a run has ended well. */
export interface Manifest {
  /** What the bundle of that run consists of. */
  readonly files: ReadonlyMap<string, Held>;
  /** What that of the run before had besides: maps that were open then may still ask for it. */
  readonly former: ReadonlyMap<string, Held>;
}

/**
 * What a run that has not ended yet has touched, by path: what lies there now, or undefined while that is not sure. It
 * overrules the manifest, whichever of both is newer: so a run may die between any two of its steps.
 */
export type Journal = ReadonlyMap<string, Held | undefined>;

export interface Records {
  readonly manifest: Manifest;
  readonly journal: Journal;
  /** Why nothing is known of what lies there, where there should be something. */
  readonly damaged?: 'manifest' | 'journal';
}

const manifestPath = `${ownFolder}/manifest.json`;
const journalPath = `${ownFolder}/journal.json`;
/** Of more than the files that a bundle may have. */
const maxBytes = 400 * 1024 * 1024;
/** In memory each takes many times the bytes that it may take in a note. */
const maxValues = 24_000_000;
const format = 1;

const about: FileHeaders = { contentType: 'application/json', cacheControl: 'no-store', isGzipped: false };
const nothing: Manifest = { files: new Map(), former: new Map() };

/** What is damaged is as good as none: then everything is sent again. */
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

/** The files are ours, whatever they are by now. */
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

/** As it goes, as it may be long. */
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

/** At least one of these signs stands before each value but the first; those in paths count, too. */
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

/** Others may write at the destination, too, and by these paths files are removed. */
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

/** May a file of a bundle lie there? */
export function isCarried(path: string): boolean {
  return isClean(path) && path !== ownFolder && !path.startsWith(`${ownFolder}/`);
}

/** All that we know to lie there, and all that may. */
export function heldBy({ manifest, journal }: Records): Map<string, Held | undefined> {
  return new Map<string, Held | undefined>([...manifest.former, ...manifest.files, ...journal]);
}
