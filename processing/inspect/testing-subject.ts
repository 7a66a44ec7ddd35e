import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { InspectionReport } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { Value } from 'typebox/value';
import { seeded } from '@platen/formats/wkb/testing';
import type { InspectionContext, Inspector, Subject } from './inspector.ts';
import { inspectors } from './inspectors.ts';
import { createIssues } from './issues.ts';

export type Files = Readonly<Record<string, Uint8Array | string | Bytes>>;

const asBytes = (content: Uint8Array | string | Bytes): Bytes =>
  typeof content === 'string' || content instanceof Uint8Array
    ? bytesOf(Buffer.from(content as string))
    : content;

/** The file `name` with its sidecar files; without a name the folder of all of them. */
export function subjectOf(files: Files, name?: string): Subject {
  const all = new Map(Object.entries(files).map(([path, content]) => [path, asBytes(content)]));
  const main = name === undefined ? undefined : all.get(name)!;
  return {
    name: name ?? 'folder',
    size: main?.size ?? [...all.values()].reduce((sum, { size }) => sum + size, 0),
    bytes: main,
    path: undefined,
    find: async (path) => all.get(path),
    list: async (limit) =>
      main === undefined
        ? [...all]
            .map(([path, { size }]) => ({ name: path, size }))
            .toSorted((a, b) => (a.name < b.name ? -1 : 1))
            .slice(0, limit)
        : [],
    localFile: async () => undefined,
  };
}

const scratchFolder = tmpdir();
/** Those who read vectors come last, and need files on the disk. */
const all: readonly Inspector[] = await Promise.all(inspectors.slice(0, -1).map(({ load }) => load()));

/** Tries all inspectors except those of vector data; an exception fails the test. undefined if none recognises it. */
export async function inspectSubject(
  subject: Subject,
  more: Pick<InspectionContext, 'area'> = {},
): Promise<InspectionReport | undefined> {
  for (const inspector of all) {
    const issues = createIssues();
    const finding = await inspector(subject, {
      issues,
      signal: new AbortController().signal,
      isOver: () => false,
      memoryBytes: 512 << 20,
      scratchFolder,
      ...more,
    });
    if (finding === undefined) continue;
    const report = { ...finding, issues: issues.list() };
    const wrong = Value.Check(InspectionReport, report)
      ? undefined
      : JSON.stringify([...Value.Errors(InspectionReport, report)]);
    assert.equal(wrong, undefined);
    return report;
  }
  return undefined;
}

/** Inspects a single file, which an inspector must recognise. */
export async function inspectFile(
  name: string,
  content: Uint8Array | string | Bytes,
  more: Pick<InspectionContext, 'area'> = {},
): Promise<InspectionReport> {
  const report = await inspectSubject(subjectOf({ [name]: content }, name), more);
  assert.ok(report, `${name} is recognised`);
  return report;
}

export async function inspectFolder(files: Files): Promise<InspectionReport> {
  const report = await inspectSubject(subjectOf(files));
  assert.ok(report, 'the folder is recognised');
  return report;
}

export const codesOf = ({ issues }: InspectionReport): string[] => issues.map(({ code }) => code);

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');

/** A file of the sample data, which is not part of this repository; `skip` says so where it is absent. */
export function sampleFile(path: string): {
  readonly skip: string | false;
  readonly name: string;
  readonly read: () => Promise<Buffer>;
} {
  const full = join(samples, path);
  return {
    skip: existsSync(full) ? false : `SKIPPED: ${full} is not there`,
    name: basename(path),
    read: () => readFile(full),
  };
}

/** A file of any size that is made as it is read, and counts what of it is. */
export function endlessBytes(head: string, repeated: string, tail: string, size: number) {
  const [first, again, last] = [head, repeated, tail].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const times = Math.floor((size - first.length - last.length) / again.length);
  const total = first.length + times * again.length + last.length;
  const body = Buffer.concat(Array.from({ length: Math.ceil((1 << 20) / again.length) + 1 }, () => again));
  let read = 0;
  const bytes: Bytes = {
    size: total,
    async read(offset, length) {
      const end = Math.min(total, offset + length);
      const pieces: Uint8Array[] = [];
      read += Math.max(0, end - offset);
      for (let at = offset; at < end;) {
        const inBody = at - first.length;
        const left = end - at;
        let piece: Buffer;
        if (inBody < 0) piece = first.subarray(at, at + left);
        else if (inBody < times * again.length) {
          const from = inBody % again.length;
          const count = Math.min(left, times * again.length - inBody);
          piece = body.subarray(from, Math.min(body.length, from + count));
        } else piece = last.subarray(inBody - times * again.length).subarray(0, left);
        pieces.push(piece);
        at += piece.length;
      }
      return Buffer.concat(pieces);
    },
  };
  return { bytes, times, bytesRead: () => read };
}

/** Bytes changed, lost, doubled, and cut off. */
export function mutateBytes(original: Uint8Array, seed: number): Buffer {
  const random = seeded(seed * 7919 + 1);
  let copy = Buffer.from(original);
  for (let change = 0; change <= random(6); change++) {
    const at = random(copy.length);
    const kind = random(7);
    if (kind === 0) copy[at]! ^= 1 << random(8);
    else if (kind === 1) copy[at] = random(256);
    else if (kind === 2) copy[at] = '<>/&"\'=![]{},.-e9 \0'.charCodeAt(random(20));
    else if (kind === 3 && at + 4 <= copy.length)
      copy.writeUInt32LE([0, 1, 2 ** 31, 2 ** 32 - 1][random(4)]!, at);
    else if (kind === 4) {
      const until = Math.min(copy.length, at + random(60));
      copy = Buffer.concat([copy.subarray(0, at), copy.subarray(until)]);
    } else if (kind === 5) {
      const until = Math.min(copy.length, at + random(60));
      copy = Buffer.concat([copy.subarray(0, until), copy.subarray(at)]);
    } else if (random(3) === 0) copy = copy.subarray(0, Math.max(1, at));
  }
  return copy;
}

/** CI makes 200. */
const mutants = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

/**
 * Inspects the files with one of them truncated at each tenth, and mutants of it. Each inspection ends with a
 * report or recognises nothing, uses little memory, and a report without layers has an issue with a message.
 */
export async function survivesDamage(files: Files, damaged: string, main: string | undefined): Promise<void> {
  const whole = Buffer.from(files[damaged] as string);
  const rssBefore = process.memoryUsage.rss();
  const look = async (content: Buffer, what: string): Promise<void> => {
    const report = await inspectSubject(subjectOf({ ...files, [damaged]: content }, main));
    if (report === undefined) return;
    if (report.layers.length === 0)
      assert.ok(
        report.issues.some(({ message }) => message.length > 20),
        `${what}: it reports neither layers nor a reason`,
      );
    const grown = process.memoryUsage.rss() - rssBefore;
    assert.ok(grown < 700 * 2 ** 20, `${what} takes ${grown} bytes`);
  };
  for (let tenth = 0; tenth < 10; tenth++)
    await look(whole.subarray(0, Math.floor((whole.length * tenth) / 10)), `${tenth}/10`);
  for (let seed = 0; seed < mutants; seed++) await look(mutateBytes(whole, seed), `seed ${seed}`);
}
