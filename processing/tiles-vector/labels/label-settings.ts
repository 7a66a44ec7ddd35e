import type { LabelOptions } from './label-options.ts';

/** The options of labels with all defaults. */
export type LabelSettings = Required<LabelOptions>;

export function readLabels(options: LabelOptions | undefined): LabelSettings | undefined {
  return options && { rankBy: [], size: 13, distance: 8, ...options };
}
