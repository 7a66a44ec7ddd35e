import { closeSync, openSync, readSync } from 'node:fs';
import type { SourceFile } from '../source/source.ts';
import { crsName } from './crs-name.ts';

export interface Division {
  /** The CRS that the file names at its start or its very end. */
  readonly crs: string | undefined;
  /** Offsets of features, about `partBytes` apart, without the first feature's own. */
  readonly starts: readonly number[];
  /** Whether the offsets are inside a FeatureCollection. */
  readonly inCollection: boolean;
}

/** RFC 8142 puts one before each text. */
const recordSeparator = '\u001e';
const headBytes = 1 << 16;
const searchBytes = 1 << 18;

/**
 * Finds places where a GeoJSON file can be divided, by looking at little of it: where the bytes look like the start of
 * the file's first feature, behind a comma or a line's end. That may be wrong, as the same bytes can stand in a text;
 * the reader of a range notices, as a range must end exactly where the next begins.
 */
export function divideGeoJson(source: SourceFile, partBytes: number): Division {
  const file = openSync(source.path, 'r');
  try {
    const read = (at: number, length: number): string => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, source.size - at)));
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, at));
    };
    const head = read(0, headBytes);
    const tail = read(Math.max(0, source.size - headBytes), headBytes);
    const first = firstFeature(head);
    const crs = crsBefore(head, first?.at) ?? crsAtEnd(tail);
    const starts: number[] = [];
    if (first !== undefined && Number.isFinite(partBytes)) {
      for (let target = partBytes; target < source.size - partBytes / 2;) {
        const at = findStart(read, target, Math.min(source.size, target + partBytes), first);
        if (at !== undefined) starts.push(at);
        target = Math.max(target, at ?? 0) + partBytes;
      }
    }
    return { crs, starts, inCollection: first?.inCollection ?? false };
  } finally {
    closeSync(file);
  }
}

interface First {
  readonly at: number;
  readonly inCollection: boolean;
  /** The text that features of this file begin with: the brace and the name of the first member. */
  readonly opening: string;
}

function firstFeature(head: string): First | undefined {
  const features = /"features"\s*:\s*\[\s*/.exec(head);
  const outer = head.indexOf('{');
  const isFeature =
    /^\{(?:\s*"(?:id|properties|bbox)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^\s"{}[\],][^"{}[\],]*),)*\s*"type"\s*:\s*"Feature"/.test(
      head.slice(outer),
    );
  const inCollection = features !== null && !isFeature;
  const at = inCollection ? features.index + features[0].length : outer;
  const opening = /^\{\s*"[^"\\]*"\s*:(?:\s*"Feature")?/.exec(head.slice(at, at + 200))?.[0];
  return opening === undefined ? undefined : { at, inCollection, opening };
}

function findStart(
  read: (at: number, length: number) => string,
  from: number,
  to: number,
  { inCollection, opening }: First,
): number | undefined {
  for (let at = from; at < to; at += searchBytes) {
    const text = read(at, searchBytes + 1000);
    for (let found = text.indexOf(opening); found >= 0; found = text.indexOf(opening, found + 1)) {
      const before = text.slice(Math.max(0, found - 16), found).replace(recordSeparator, '\n');
      // The end of the feature before; inside of one there would be a name and a colon.
      if ((inCollection ? /\}\s*,\s*$/ : /\}[^\S\n]*\n\s*$/).test(before)) return at + found;
    }
  }
  return undefined;
}

function crsBefore(head: string, first: number | undefined): string | undefined {
  return crsIn(first === undefined ? head : head.slice(0, first));
}

/** A `crs` member behind the features, as some programs write it. */
function crsAtEnd(tail: string): string | undefined {
  const behind = /\]\s*,(?:(?!\]\s*,)[^])*"crs"[^]*$/.exec(tail.slice(-2000))?.[0];
  return behind === undefined || /"(?:geometry|coordinates)"/.test(behind) ? undefined : crsIn(behind);
}

function crsIn(text: string): string | undefined {
  const member = /"crs"\s*:\s*(\{[^{}]*\{[^{}]*\}[^{}]*\})/.exec(text)?.[1];
  if (member === undefined) return undefined;
  try {
    return crsName(JSON.parse(member));
  } catch {
    return undefined;
  }
}
