import type { Inspector } from '../inspector.ts';
import { inspectMbtiles } from './inspect-mbtiles.ts';
import { inspectPmtiles } from './inspect-pmtiles.ts';
import { inspectTileFolder } from './inspect-tile-folder.ts';

/** Finished tiles of maps: PMTiles, MBTiles, and folders of them. */
export const inspectTiles: Inspector = async (subject, inspecting) =>
  (await inspectPmtiles(subject, inspecting)) ??
  (await inspectMbtiles(subject, inspecting)) ??
  (await inspectTileFolder(subject, inspecting));
