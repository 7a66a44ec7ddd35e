import type { Samples } from '@platen/formats/geotiff/read-block';

export interface RasterImage {
  readonly width: number;
  readonly height: number;
  /** 1: grey, 2: grey and alpha, 3: red, green, blue, 4: with alpha. Alpha is not premultiplied. */
  readonly bands: number;
  /** Row by row from the top, the bands of a pixel next to each other. What the codec returns can move to a thread. */
  readonly samples: Samples | Uint8ClampedArray;
}
