import type { Module } from '@platen/contract/modules';
import { originOf } from '@platen/styles/style-item';

/** In metres; from farther away, countries and the towns of a region have their names. */
const farAway = 300_000;

/**
 * Whether data have labels where the names of the world would be. Globes draw both on top of each other, and data that
 * are labelled from so far away are places themselves.
 */
export const hasFarLabels = ({ layers }: Pick<Module, 'layers'>): boolean =>
  layers.some((layer) => {
    const label = originOf(layer['style'])?.style.label;
    return label !== undefined && (label.maxDistance ?? Infinity) > farAway;
  });
