import type { TileMakerOptions } from '@platen/geo/mvt/tile-maker';
import type { InputPart } from '../features/open-inputs.ts';
import type { RecordSource, Unit } from './cut-unit.ts';
import type { WorkerSummary, ParsedPart } from './parse-part.ts';
import type { Shares } from './partition.ts';
import type { TilingMemory } from './memory.ts';
import type { Plan } from './plan.ts';
import type { Renumbering } from './records.ts';
import type { Segment } from './segments.ts';
import type { Settings } from './settings.ts';
import type { UnitTiles } from '../kit/tile-log.ts';
import type { CountedWarning } from '../kit/warning-counter.ts';

/** Settings of the tiler's threads; see worker.ts. */
export interface Setup {
  readonly settings: Settings;
  /** For scratch files. */
  readonly folder: string;
  /** The thread's number, from 0. */
  readonly worker: number;
  /** Number of earlier processes of the job. */
  readonly attempt: number;
  /** A 32-bit number shared by all threads: the words of records in memory. */
  readonly wordsInMemory: SharedArrayBuffer;
  readonly memory: TilingMemory;
}

export interface CutSetup {
  readonly plan: Plan;
  readonly maxZoom: number;
  readonly maxWords: number;
  readonly encoder: Omit<TileMakerOptions, 'gzip' | 'densityScratch'>;
}

export type Task =
  | { readonly kind: 'parse'; readonly number: number; readonly input: InputPart }
  /** Returns the data collected over all parts of the thread. */
  | { readonly kind: 'summarise' }
  /** Discards everything that was read, because it will be read again. */
  | { readonly kind: 'reset' }
  /** Reading is complete: replaces the parser by what dividing needs. */
  | { readonly kind: 'prepareToDivide'; readonly cut: CutSetup }
  /** Dividing is complete. */
  | { readonly kind: 'prepareToCut'; readonly cut: CutSetup }
  | {
      readonly kind: 'divide';
      readonly segment: Segment;
      readonly renumbering: Renumbering;
      readonly toFile: boolean;
    }
  | {
      readonly kind: 'cut';
      readonly unit: Unit;
      readonly sources: readonly RecordSource[];
      readonly words: number;
    };

export type Answer =
  | { readonly kind: 'parsed'; readonly parsed: ParsedPart }
  | { readonly kind: 'summary'; readonly summary: WorkerSummary | undefined }
  | { readonly kind: 'done' }
  | { readonly kind: 'divided'; readonly shares: Shares }
  | { readonly kind: 'cut'; readonly tiles: UnitTiles; readonly warnings: readonly CountedWarning[] };

/** Progress that a thread reports while it works. */
export interface ReadReport {
  readonly kind: 'read';
  readonly bytes: number;
}
