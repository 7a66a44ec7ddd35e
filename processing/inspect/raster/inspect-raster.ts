import type { Inspector } from '../inspector.ts';
import { inspectGeoTiff } from './inspect-geotiff.ts';
import { inspectGrid } from './inspect-grid.ts';
import { inspectImage } from './inspect-image.ts';
import { inspectJpeg2000 } from './inspect-jpeg2000.ts';

/** Inspects single-file imagery and elevation. */
export const inspectRaster: Inspector = async (subject, context) =>
  (await inspectGeoTiff(subject, context)) ??
  (await inspectJpeg2000(subject, context)) ??
  (await inspectImage(subject, context)) ??
  (await inspectGrid(subject, context));
