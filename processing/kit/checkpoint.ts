import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { JobContext } from '../job-type.ts';
import { changePaths, fileRangesIn } from './file-ranges.ts';

/**
 * The progress of a job that an earlier, dead process left in a scratch folder: values by name, and units in the order
 * in which they were appended. Both may be anything that can be sent to a thread, except shared memory, and may contain
 * file ranges in the folder at any depth.
 */
export interface Checkpoint<Values extends object, Unit> {
  /** Number of earlier processes. It must be part of file names, so that a half-written file is never reused. */
  readonly attempt: number;
  /** Units that earlier processes appended. */
  readonly units: readonly Unit[];
  /** The value of an earlier process. */
  get<Name extends keyof Values & string>(name: Name): Values[Name] | undefined;
  /** Saves a value, or replaces it. A reader sees the former value or the new one, never a part of it. */
  save<Name extends keyof Values & string>(name: Name, value: Values[Name]): void;
  append(unit: Unit): void;
}

/** Increase it when the layout of the files changes. */
const format = 1;
const ownFolder = 'checkpoint';
const frameBytes = 8;

/** The saved progress. Files in the folder that it does not refer to are unfinished. */
interface Progress {
  readonly values: ReadonlyMap<string, unknown>;
  readonly units: readonly unknown[];
}

/**
 * Starts or resumes in the folder, which holds nothing else. Nothing is synced to disk: a checkpoint survives the
 * process, not the machine. Files are recorded by their path in the folder, because the next process has the folder at
 * another path. If any of them is shorter than recorded, everything starts over.
 * @param identity distinguishes this job with these inputs from any other; see `identityOf`
 */
export function openCheckpoint<Values extends object, Unit>(
  folder: string,
  identity: string,
): Checkpoint<Values, Unit> {
  const own = (name: string): string => join(folder, ownFolder, name);
  const fullIdentity = `${format} ${identity}`;
  const isSame = existsSync(own('identity')) && readFileSync(own('identity'), 'utf8') === fullIdentity;
  let progress = isSame ? load(folder) : undefined;
  if (progress === undefined) {
    begin(folder, fullIdentity);
    progress = { values: new Map(), units: [] };
  }
  const attempt = existsSync(own('attempts')) ? statSync(own('attempts')).size : 0;
  appendFileSync(own('attempts'), '+');
  if (attempt > 0) removeUnfinished(folder, progress);
  const { values, units } = progress;
  const pack = (value: unknown): Buffer =>
    serialize(changePaths(value, (path) => relative(folder, path).split(sep).join('/')));
  return {
    attempt,
    units: units as readonly Unit[],
    get: (name) => values.get(name) as Values[typeof name] | undefined,
    save(name, value) {
      writeFileSync(own(`${name}.unfinished`), pack(value));
      renameSync(own(`${name}.unfinished`), own(`${name}.value`));
    },
    append(unit) {
      const bytes = pack(unit);
      const frame = Buffer.allocUnsafe(frameBytes);
      frame.writeUInt32LE(bytes.length, 0);
      frame.writeUInt32LE(crc32(bytes), 4);
      appendFileSync(own('units'), Buffer.concat([frame, bytes]));
    },
  };
}

/** Identifies a job by its version, options and inputs; not by the paths of its inputs, which change. */
export function identityOf(
  version: unknown,
  options: unknown,
  { inputs }: Pick<JobContext, 'inputs'>,
): string {
  const files = inputs.map(({ path: _path, related: _related, contents: _contents, ...input }) => input);
  return JSON.stringify([version, options, files]);
}

/** Tells in the log what an earlier attempt has left. @param units that need not be made again */
export function logResume(
  { attempt }: Pick<Checkpoint<object, unknown>, 'attempt'>,
  units: number,
  { log }: Pick<JobContext, 'log'>,
): void {
  if (attempt === 0) return;
  if (units === 0) log('info', 'Starting over: an earlier attempt had not finished a unit.');
  else log('info', `Resuming an earlier attempt: ${units} units were made.`);
}

function begin(folder: string, identity: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, ownFolder), { recursive: true });
  writeFileSync(join(folder, ownFolder, 'identity'), identity);
}

/** Returns undefined if the files are not what was written. */
function load(folder: string): Progress | undefined {
  const own = join(folder, ownFolder);
  const unpack = (bytes: Buffer): unknown => changePaths(deserialize(bytes), (path) => join(folder, path));
  try {
    const names = readdirSync(own).filter((name) => name.endsWith('.value'));
    const progress = {
      values: new Map(
        names.map((name) => [name.slice(0, -'.value'.length), unpack(readFileSync(join(own, name)))]),
      ),
      units: existsSync(join(own, 'units')) ? framesOf(join(own, 'units')).map(unpack) : [],
    };
    return fileRangesOf(progress).every(({ path, end }) => statSync(path).size >= end) ? progress : undefined;
  } catch {
    return undefined;
  }
}

/** The whole units. What follows them was being written when the process died, and is cut off. */
function framesOf(path: string): Buffer[] {
  const bytes = readFileSync(path);
  const frames: Buffer[] = [];
  let at = 0;
  while (at + frameBytes <= bytes.length) {
    const start = at + frameBytes;
    const end = start + bytes.readUInt32LE(at);
    if (end > bytes.length || crc32(bytes.subarray(start, end)) !== bytes.readUInt32LE(at + 4)) break;
    frames.push(bytes.subarray(start, end));
    at = end;
  }
  truncateSync(path, at);
  return frames;
}

function fileRangesOf({ values, units }: Progress) {
  return fileRangesIn([...values.values(), units]);
}

/** Otherwise the files of each dead process would accumulate until the disk is full. */
function removeUnfinished(folder: string, progress: Progress): void {
  const topOf = (path: string): string => relative(folder, path).split(sep)[0]!;
  const kept = new Set([ownFolder, ...fileRangesOf(progress).map(({ path }) => topOf(path))]);
  for (const name of readdirSync(folder))
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}
