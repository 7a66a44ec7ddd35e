import type { InputPart } from '../features/open-inputs.ts';
import { addLayers, type Layers } from '../features/layers.ts';
import type { PartRejects } from '../kit/reject-log.ts';
import type { ParsedPart } from './parse-part.ts';

export type PartWithoutLayers = Omit<ParsedPart, 'layers'>;

/** The results of the parts of the inputs, whose statistics are merged as soon as those of all earlier parts are. */
export interface ParsedParts {
  /** In the order of the input; the last ones are missing if reading failed. */
  readonly all: readonly PartWithoutLayers[];
  /** In order of first appearance. */
  readonly layers: Layers;
  add(number: number, part: ParsedPart): void;
  /** Number of features of the same file before each part. Parts divided at guessed positions count theirs from 1. */
  featuresBefore(): number[];
  rejects(): PartRejects[];
}

export function createParsedParts(parts: readonly InputPart[]): ParsedParts {
  const all: PartWithoutLayers[] = [];
  const layers: Layers = new Map();
  /** Parts are parsed nearly in order, so few wait. */
  const waiting = new Map<number, Layers>();
  let merged = 0;
  const featuresBefore = (): number[] => {
    let before = 0;
    return parts.map(({ isGuessed, file }, number) => {
      const continues = isGuessed && parts[number - 1]?.file === file;
      before = continues ? before + (all[number - 1]?.counts.read ?? 0) : 0;
      return before;
    });
  };
  return {
    all,
    layers,
    add(number, { layers: own, ...part }) {
      all[number] = part;
      waiting.set(number, own);
      for (let next = waiting.get(merged); next !== undefined; next = waiting.get(merged)) {
        addLayers(layers, next);
        waiting.delete(merged++);
      }
    },
    featuresBefore,
    rejects() {
      const before = featuresBefore();
      return all.flatMap(({ rejects: { counts, kept } }, number) => {
        return { counts, kept, featuresBefore: before[number]! };
      });
    },
  };
}
