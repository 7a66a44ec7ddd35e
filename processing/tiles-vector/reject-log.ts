import type { Feature, FeaturePlace } from '@platen/formats/feature/feature';
import type { SourceName } from '../features/layer-name.ts';
import { createRejectKinds, timesOf, type RejectKind } from '../features/reject-kinds.ts';
import { messageOf, rejectedFeature } from '../features/set-aside.ts';
import type { JobContext } from '../job-type.ts';
import { mostRejectBytes, mostRejects, type RejectedFeature } from '../rejects.ts';
import type { RejectCode } from '../warning-codes.ts';
import { openScratchFile, readStretch, type ScratchFile, type Stretch } from './scratch.ts';

/** What of one part of the input was set aside. */
export interface PartRejects {
  /** All of them. */
  readonly kinds: readonly RejectKind[];
  /** Lines of JSON: the first of them. */
  readonly kept: Stretch | undefined;
  /** How many features of the file lie before those that the part counts from 1. */
  readonly featuresBefore: number;
}

/** What a thread sets aside, in a file that is begun with the first of it. */
export interface RejectLog {
  begin(): void;
  // oxlint-disable-next-line max-params -- once for each feature that is set aside
  add(
    source: SourceName,
    code: RejectCode,
    reason: string,
    feature: Feature,
    place: () => FeaturePlace,
  ): void;
  /** Of the part that was begun. */
  end(): Omit<PartRejects, 'featuresBefore'>;
  close(): void;
}

type Line = readonly [code: RejectCode, message: string, feature: RejectedFeature];

const bufferBytes = 1 << 16;

export function createRejectLog(path: string): RejectLog {
  let file: ScratchFile | undefined;
  let kinds = createRejectKinds();
  let start = 0;
  let kept = 0;
  const isFull = () => kept >= mostRejects || (file?.length ?? 0) - start >= mostRejectBytes;
  return {
    begin() {
      kinds = createRejectKinds();
      start = file?.length ?? 0;
      kept = 0;
    },
    add(source, code, reason, feature, place) {
      const message = messageOf(code, source.file, reason);
      kinds.add({ code, message, reason, times: 1 });
      if (isFull()) return;
      kept++;
      const line: Line = [code, message, rejectedFeature(source, reason, feature, place)];
      file ??= openScratchFile(path, bufferBytes);
      file.append(Buffer.from(`${JSON.stringify(line)}\n`));
    },
    end() {
      if (file === undefined || file.length === start) return { kinds: kinds.list(), kept: undefined };
      file.flush();
      return { kinds: kinds.list(), kept: { path, start, end: file.length } };
    },
    close: () => file?.close(),
  };
}

/** Hands on what the parts have set aside, in the order of the input. */
export function passOnRejects(parts: readonly PartRejects[], reject: JobContext['reject']): void {
  let handed = 0;
  let bytes = 0;
  for (const { kinds, kept, featuresBefore } of parts) {
    const shown = new Map<RejectCode, number>();
    if (kept !== undefined && handed < mostRejects && bytes < mostRejectBytes) {
      bytes += kept.end - kept.start;
      for (const [code, message, feature] of linesOf(kept)) {
        const { place } = feature;
        reject(code, message, { ...feature, place: { ...place, feature: place.feature + featuresBefore } });
        shown.set(code, (shown.get(code) ?? 0) + 1);
        handed++;
      }
    }
    for (const code of new Set(kinds.map((kind) => kind.code))) {
      const others = timesOf(kinds, code) - (shown.get(code) ?? 0);
      const { message } = kinds.find((kind) => kind.code === code)!;
      if (others > 0) reject(code, message, undefined, others);
    }
  }
}

function* linesOf(kept: Stretch): Generator<Line> {
  let rest = '';
  const decoder = new TextDecoder();
  for (const bytes of readStretch(kept)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}
