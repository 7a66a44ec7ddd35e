import type { FeatureSketch } from '../../tile-style/feature-sketch.ts';
import { emptyBox, growBox } from '../box.ts';
import { thumbnailUrl } from '../thumbnail-url.ts';
import type { SeenLayer } from './suggest-task.ts';

/** A small picture of the features that were read; undefined where none can be placed on the earth. */
export function drawSketch(sketch: FeatureSketch, seen: readonly SeenLayer[]): string | undefined {
  const box = emptyBox();
  for (const { sample } of seen) growBox(box, Float64Array.from(sample.lonLatBox), 2);
  if (!(box[0] <= box[2] && box[1] <= box[3])) return undefined;
  return thumbnailUrl(sketch.paint('sample', box));
}
