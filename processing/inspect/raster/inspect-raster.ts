import type { Inspector } from '../inspector.ts';
import { inspectGeoTiff } from './inspect-geotiff.ts';
import { inspectGrid } from './inspect-grid.ts';
import { inspectImage } from './inspect-image.ts';

/** Imagery and elevation as single files. */
export const inspectRaster: Inspector = async (subject, inspecting) =>
  (await inspectGeoTiff(subject, inspecting)) ??
  (await inspectImage(subject, inspecting)) ??
  (await inspectGrid(subject, inspecting));
