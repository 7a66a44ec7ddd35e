import type { RasterCheckpoint } from './pyramid/checkpoint.ts';
import type { Settings } from './settings.ts';

/** What both kinds of results are made with. */
export interface Conversion {
  readonly settings: Settings;
  readonly budgetBytes: number;
  readonly maxWorkers: number;
  readonly folder: string;
  readonly checkpoint: RasterCheckpoint;
  /** Of the file that is made. */
  readonly name: string;
}
