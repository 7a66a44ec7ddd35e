import type { Inspector } from '../inspector.ts';
import { inspectMbtiles } from './inspect-mbtiles.ts';
import { inspectPmtiles } from './inspect-pmtiles.ts';
import { inspectTileFolder } from './inspect-tile-folder.ts';

/** Inspects finished map tiles: PMTiles, MBTiles and folders. */
export const inspectTiles: Inspector = async (subject, context) =>
  (await inspectPmtiles(subject, context)) ??
  (await inspectMbtiles(subject, context)) ??
  (await inspectTileFolder(subject, context));
