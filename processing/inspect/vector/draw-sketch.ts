import type { FeatureSketch } from '../../tile-style/feature-sketch.ts';
import { emptyBox, growBox } from '../box.ts';
import { thumbnailUrl } from '../thumbnail-url.ts';
import type { SampledLayer } from './vector-facts.ts';

/** Draws a thumbnail of the sampled features; undefined if none can be placed on earth. */
export function drawSketch(sketch: FeatureSketch, layers: readonly SampledLayer[]): string | undefined {
  const box = emptyBox();
  for (const { sample } of layers) growBox(box, Float64Array.from(sample.lonLatBox), 2);
  if (!(box[0] <= box[2] && box[1] <= box[3])) return undefined;
  return thumbnailUrl(sketch.paint('sample', box));
}
