import { clearGeometry, createGeometryBuffer, pushPosition } from '@platen/formats/feature/geometry-buffer';
import { tileOfId } from '@platen/geo/pmtiles/tile-id';
import { contourFeature, contourLayer } from '@platen/geo/terrain/contour-tile';
import { latitudeAt } from '@platen/geo/terrain/height-grid';
import { createContourJoiner, type OnJoinedContour } from '@platen/geo/terrain/join-contours';
import { createLayerFiles } from '../../features/layer-files.ts';
import type { Layers } from '../../features/layers.ts';
import type { JobContext } from '../../job-type.ts';
import { tilesOf, type MadeTiles } from '../../kit/merge-tiles.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { PyramidShape } from '../../raster-source/zoom-layers.ts';
import type { LineFormat } from '../settings.ts';
import { countContours } from './contour-layer.ts';
import { joinedExtent, piecesOf } from './contour-tile.ts';

/** So that viewers, which read whole lines, need not read a long one for a short part of it. */
const maxPositions = 50_000;
/** 64 MB. */
const maxWaiting = 4_000_000;
const sortingBytes = 64 * 2 ** 20;
/** A centimetre. */
const decimals = 7;

export interface LinesPlan {
  readonly shape: PyramidShape;
  readonly format: LineFormat;
  /** Metres from line to line. */
  readonly interval: number;
  readonly zoom: number;
}

export interface WrittenLines {
  /** In the output folder; undefined if there is no line. */
  readonly path: string | undefined;
  readonly lines: Layers;
}

/** Joins the pieces of contour lines that tiles have, and writes them into one file. */
export async function writeLines(
  tiles: MadeTiles,
  { shape: { grid }, format, interval, zoom }: LinesPlan,
  { outputFolder, scratchFolder, signal, progress }: JobContext,
): Promise<WrittenLines> {
  const files = createLayerFiles({
    format,
    decimals,
    outputFolder,
    scratchFolder,
    memoryBytes: sortingBytes,
  });
  const lines: Layers = new Map();
  const geometry = createGeometryBuffer();
  const unitsOfWorld = joinedExtent * 2 ** zoom;
  const onLine: OnJoinedContour = (level, xy, count) => {
    clearGeometry(geometry);
    for (let i = 0; i < count * 2; i += 2)
      pushPosition(
        geometry,
        (xy[i]! / unitsOfWorld) * 360 - 180,
        latitudeAt(grid, xy[i + 1]! / unitsOfWorld),
      );
    geometry.ringEnds.push(count);
    geometry.polygonEnds.push(1);
    geometry.parts.push({ type: 'LineString', polygonStart: 0, polygonEnd: 1 });
    const properties = { ...contourFeature(level, interval) };
    files.open(contourLayer).add({ id: undefined, properties, geometry });
    countContours(lines, [properties], zoom);
  };
  const joiner = createContourJoiner({ extent: joinedExtent, maxPositions, maxWaiting }, onLine);
  const total = tiles.leaves.reduce((sum, unit) => sum + (unit[zoom]?.tiles ?? 0), 0);
  let done = 0;
  try {
    for (const { tileId, bytes } of tilesOf(tiles.leaves, zoom)) {
      const [z, x, y] = tileOfId(tileId);
      for (const { level, xy } of piecesOf(bytes!)) joiner.add({ z, x, y }, level, xy);
      progress('write', ++done, total);
      await takeTurn(signal);
    }
    joiner.finish();
    if (lines.size === 0) return { path: undefined, lines };
    await files.finish(contourLayer);
    return { path: files.open(contourLayer).path, lines };
  } finally {
    files.discard();
  }
}
