import type { TileMakerOptions } from '@platen/geo/mvt/tile-maker';
import type { InputPart } from '../features/open-inputs.ts';
import type { Piece, Unit } from './cut-unit.ts';
import type { Learned, ParsedPart } from './parse-part.ts';
import type { Shares } from './partition.ts';
import type { Plan } from './plan.ts';
import type { Renumbering } from './records.ts';
import type { Segment } from './segments.ts';
import type { Settings } from './settings.ts';
import type { UnitTiles } from './tile-log.ts';
import type { CountedWarning } from './warning-tally.ts';

/** What the threads of the tiler tell each other; see worker.ts. */
export interface Setup {
  readonly settings: Settings;
  /** For scratch files. */
  readonly folder: string;
  /** The thread's number, from 0. */
  readonly worker: number;
  /** How many processes have worked on the job before. */
  readonly attempt: number;
  /** One 32-bit number that all threads share: the words of records in memory. */
  readonly wordsInMemory: SharedArrayBuffer;
  readonly mostInMemory: number;
}

export interface CutSetup {
  readonly plan: Plan;
  readonly maxZoom: number;
  readonly mostWords: number;
  readonly encoder: Omit<TileMakerOptions, 'gzip'>;
}

export type Task =
  | { readonly kind: 'parse'; readonly number: number; readonly input: InputPart }
  /** What the thread has learned of all its parts. */
  | { readonly kind: 'learned' }
  /** Everything is to be read anew. */
  | { readonly kind: 'forget' }
  /** Reading has ended: what is needed to divide comes in place of what was needed to read. */
  | { readonly kind: 'prepareToDivide'; readonly cut: CutSetup }
  /** Dividing has ended. */
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
      readonly pieces: readonly Piece[];
      readonly words: number;
    };

export type Answer =
  | { readonly kind: 'parsed'; readonly parsed: ParsedPart }
  | { readonly kind: 'learned'; readonly learned: Learned | undefined }
  | { readonly kind: 'done' }
  | { readonly kind: 'divided'; readonly shares: Shares }
  | { readonly kind: 'cut'; readonly tiles: UnitTiles; readonly warnings: readonly CountedWarning[] };

/** What a thread tells while it works. */
export interface Note {
  readonly kind: 'read';
  readonly bytes: number;
}

/** The answer, which is of this kind. */
export function expectAnswer<K extends Answer['kind']>(
  answer: Answer,
  kind: K,
): Extract<Answer, { kind: K }> {
  if (answer.kind !== kind) throw new Error(`a thread answered ${answer.kind} instead of ${kind}`);
  return answer as Extract<Answer, { kind: K }>;
}
