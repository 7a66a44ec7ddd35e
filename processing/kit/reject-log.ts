import { createRejectCounter, totalRejects, type RejectCount } from './reject-counter.ts';
import type { JobContext } from '../job-type.ts';
import { maxRejectBytes, maxRejects, type RejectedFeature } from '../rejects.ts';
import type { RejectCode } from '../warning-codes.ts';
import { openScratchFile, readRange, type ScratchFile, type FileRange } from './scratch-file.ts';

/** The rejected features of one part of the input. */
export interface PartRejects {
  /** Counts of all of them. */
  readonly counts: readonly RejectCount[];
  /** The first ones as lines of JSON. */
  readonly kept: FileRange | undefined;
  /** Number of the file's features before the part, which counts its own from 1. */
  readonly featuresBefore: number;
}

/** Writes a thread's rejects into a file, which is created with the first of them. */
export interface RejectLog {
  begin(): void;
  /** @param describe called only while rejects are kept, as most of many are just counted */
  add(kind: Omit<RejectCount, 'times'>, describe: () => RejectedFeature): void;
  /** Returns the rejects of the current part. */
  end(): Omit<PartRejects, 'featuresBefore'>;
  close(): void;
}

type Line = readonly [code: RejectCode, message: string, feature: RejectedFeature];

const bufferBytes = 1 << 16;

export function createRejectLog(path: string): RejectLog {
  let file: ScratchFile | undefined;
  let counts = createRejectCounter();
  let start = 0;
  let kept = 0;
  const isFull = () => kept >= maxRejects || (file?.length ?? 0) - start >= maxRejectBytes;
  return {
    begin() {
      counts = createRejectCounter();
      start = file?.length ?? 0;
      kept = 0;
    },
    add(kind, describe) {
      counts.add({ ...kind, times: 1 });
      if (isFull()) return;
      kept++;
      const line: Line = [kind.code, kind.message, describe()];
      file ??= openScratchFile(path, bufferBytes);
      file.append(Buffer.from(`${JSON.stringify(line)}\n`));
    },
    end() {
      if (file === undefined || file.length === start) return { counts: counts.list(), kept: undefined };
      file.flush();
      return { counts: counts.list(), kept: { path, start, end: file.length } };
    },
    close: () => file?.close(),
  };
}

/** Reports the rejects of all parts, in the order of the input. */
export function emitRejects(parts: readonly PartRejects[], reject: JobContext['reject']): void {
  let emitted = 0;
  let bytes = 0;
  for (const { counts, kept, featuresBefore } of parts) {
    const shown = new Map<RejectCode, number>();
    if (kept !== undefined && emitted < maxRejects && bytes < maxRejectBytes) {
      bytes += kept.end - kept.start;
      for (const [code, message, feature] of linesOf(kept)) {
        const { place } = feature;
        reject(code, message, {
          ...feature,
          place: { ...place, feature: (place.feature ?? 0) + featuresBefore },
        });
        shown.set(code, (shown.get(code) ?? 0) + 1);
        emitted++;
      }
    }
    for (const code of new Set(counts.map((kind) => kind.code))) {
      const others = totalRejects(counts, code) - (shown.get(code) ?? 0);
      const { message } = counts.find((kind) => kind.code === code)!;
      if (others > 0) reject(code, message, undefined, others);
    }
  }
}

function* linesOf(kept: FileRange): Generator<Line> {
  let rest = '';
  const decoder = new TextDecoder();
  for (const bytes of readRange(kept)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}
