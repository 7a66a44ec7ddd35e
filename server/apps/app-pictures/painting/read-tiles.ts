import { readTile } from '@platen/geo/mvt/read-tile';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { ReadRange } from '@platen/geo/pmtiles/read-archive';
import { tileType, type ArchiveHeader } from '@platen/geo/pmtiles/header';
import { unpackTile } from '../../../datasources/parsing/unpack-tile.ts';
import { previewHeight, previewWidth, type View } from '../view.ts';
import type { AddFeature } from './painted-features.ts';

/** Tiles are made for this many pixels along an edge, and read from the zoom that comes next to it. */
const tilePixels = 512;
/** If even the lowest zoom needs more tiles than this, the middle of the picture shows them. */
const maxTiles = 48;

type Place = Omit<View, 'mark'>;

/** Adds the features of a PMTiles archive of vector tiles that a view shows. @throws ArchiveError, TileError */
export async function readTiles(read: ReadRange, view: Place, add: AddFeature): Promise<void> {
  const archive = await openArchive(read);
  const { header } = archive;
  if (header.tileType !== tileType.mvt) return;
  const zoom = zoomOf(view, header);
  const side = 2 ** zoom;
  const pixels = view.worldPixels / side;
  for (const { column, row } of tilesIn(view, pixels, side)) {
    const range = await archive.findTile(zoom, ((column % side) + side) % side, row);
    if (!range) continue;
    const bytes = unpackTile(await readWhole(read, range), header);
    if (!addTile(bytes, { left: view.left + column * pixels, top: view.top + row * pixels, pixels }, add))
      return;
  }
}

function zoomOf({ worldPixels }: Place, { minZoom, maxZoom }: ArchiveHeader): number {
  return Math.max(minZoom, Math.min(maxZoom, Math.round(Math.log2(worldPixels / tilePixels))));
}

function tilesIn({ left, top }: Place, pixels: number, side: number) {
  const from = { column: Math.floor(-left / pixels), row: Math.max(0, Math.floor(-top / pixels)) };
  const to = {
    column: Math.ceil((previewWidth - left) / pixels),
    row: Math.min(side, Math.ceil((previewHeight - top) / pixels)),
  };
  const middle = { column: (from.column + to.column) / 2, row: (from.row + to.row) / 2 };
  const tiles = [];
  for (let row = from.row; row < to.row; row++)
    for (let column = from.column; column < to.column; column++) {
      const away = Math.hypot(column + 0.5 - middle.column, row + 0.5 - middle.row);
      tiles.push({ column, row, away });
    }
  return tiles.toSorted((a, b) => a.away - b.away).slice(0, maxTiles);
}

const maxReadBytes = 1024 * 1024;

/** The host reads a mebibyte at a time. */
async function readWhole(read: ReadRange, { offset, length }: { offset: number; length: number }) {
  if (length <= maxReadBytes) return read(offset, length);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < length; at += maxReadBytes)
    parts.push(await read(offset + at, Math.min(maxReadBytes, length - at)));
  return Buffer.concat(parts);
}

/** @returns false if no more features are taken */
function addTile(
  bytes: Uint8Array,
  { left, top, pixels }: { left: number; top: number; pixels: number },
  add: AddFeature,
): boolean {
  let takesMore = true;
  const clip = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(previewWidth, left + pixels),
    bottom: Math.min(previewHeight, top + pixels),
  };
  for (const { name, extent, visitFeatures } of readTile(bytes)) {
    const scale = pixels / extent;
    visitFeatures((geometry, attributes) => {
      if (!takesMore) return;
      const { type, coordinates, partEnds, positionCount } = geometry;
      // the map viewer gives features of tiles the name of their layer
      const value = (key: string) => attributes().get(key) ?? (key === 'layer' ? name : undefined);
      const feature = { type, path: { coordinates, partEnds }, extent, scale, left, top, clip };
      takesMore = add(feature, positionCount, value);
    });
  }
  return takesMore;
}
