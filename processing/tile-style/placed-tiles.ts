import type { Box, Placement } from '@platen/geo/canvas/canvas';
import { trimmedRange } from '@platen/geo/canvas/trimmed-range';
import { readTile, type TileGeometry, type TileLayer } from '@platen/geo/mvt/read-tile';
import { latitudeOf, longitudeOf, worldSize } from '@platen/geo/tile/world-grid';
import {
  frameOf,
  thumbnailHeight,
  thumbnailWidth,
  viewOf,
  type Bounds,
  type Tileset,
  type View,
} from './thumbnail-view.ts';

/** Reads an unpacked vector tile; undefined if there is none. */
export type ReadTile = (z: number, x: number, y: number) => Promise<Uint8Array | undefined>;

/** A tile and its position in the picture. */
export interface PlacedTile {
  readonly layers: readonly TileLayer[];
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
  readonly pixels: number;
}

/** A geometry and its position in the picture. */
export interface PlacedGeometry extends Placement {
  readonly geometry: TileGeometry;
  readonly extent: number;
  /** Area of its tile in the picture. */
  readonly clip: Box;
}

export type VisitPlaced = (visit: (placed: PlacedGeometry) => void) => void;

/** Share of features far from the others that the picture ignores, as it would show nothing otherwise. */
const outliers = 0.02;
const farAway = 1 / 2;
/** For data without tiles: a street of houses should not become larger than the picture. */
const deepestZoom = 18;

/** The tiles of the picture: of all the data, or of the part where nearly all features are. */
export async function placeTiles(tileset: Tileset, read: ReadTile): Promise<PlacedTile[]> {
  const all = await readView(viewOf(tileset), read);
  const focus = focusOf(all, tileset.bounds);
  return focus === undefined ? all : readView(viewOf(tileset, focus), read);
}

/** The same of features in one layer in units of the world grid, as though all the world were one tile. */
export function placeWorld(layer: TileLayer, bounds: Bounds): PlacedTile[] {
  const zooms = { minZoom: 0, maxZoom: deepestZoom };
  const placeIn = (focus: Bounds): PlacedTile => {
    const { worldPixels: pixels, left, top } = frameOf(focus, zooms);
    return { layers: [layer], zoom: 0, x: 0, y: 0, left, top, pixels };
  };
  const all = [placeIn(bounds)];
  const focus = focusOf(all, bounds);
  return focus === undefined ? all : [placeIn(focus)];
}

/** The area to zoom in to; undefined if everything fits. */
function focusOf(tiles: readonly PlacedTile[], bounds: Bounds): Bounds | undefined {
  const majority = boundsOfMost(tiles);
  if (majority === undefined) return undefined;
  const area = areaOf(majority);
  return area > 0 && area <= areaOf(bounds) * farAway ? majority : undefined;
}

async function readView({ zoom, tiles, tilePixels: pixels }: View, read: ReadTile): Promise<PlacedTile[]> {
  const placed: PlacedTile[] = [];
  for (const tile of tiles) {
    const bytes = await read(zoom, tile.x, tile.y);
    if (bytes !== undefined) placed.push({ layers: readTile(bytes), zoom, ...tile, pixels });
  }
  return placed;
}

function boundsOfMost(tiles: readonly PlacedTile[]): Bounds | undefined {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const { layers, zoom, x, y } of tiles) {
    const tileSize = worldSize / 2 ** zoom;
    for (const layer of layers) {
      layer.visitGeometries(({ coordinates, positionCount }) => {
        for (const [values, axis, tile] of [
          [xs, 0, x],
          [ys, 1, y],
        ] as const) {
          const [low, high] = rangeOf(coordinates, axis, positionCount);
          values.push((tile + low / layer.extent) * tileSize, (tile + high / layer.extent) * tileSize);
        }
      });
    }
  }
  if (xs.length * outliers < 1) return undefined;
  const [west, east] = spanOfMost(xs);
  const [north, south] = spanOfMost(ys);
  return [longitudeOf(west), latitudeOf(south), longitudeOf(east), latitudeOf(north)];
}

function rangeOf(coordinates: Int32Array, axis: 0 | 1, positionCount: number): [low: number, high: number] {
  let low = coordinates[axis]!;
  let high = low;
  for (let at = axis; at < positionCount * 2; at += 2) {
    const value = coordinates[at]!;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  return [low, high];
}

function spanOfMost(values: readonly number[]): [number, number] {
  const [low, high] = trimmedRange(values, outliers);
  const more = (high - low) * 0.08;
  return [Math.max(0, low - more), Math.min(worldSize, high + more)];
}

function areaOf([west, south, east, north]: Bounds): number {
  return (east - west) * (north - south);
}

/** The geometries of one layer in all tiles. */
export function geometriesOf(tiles: readonly PlacedTile[], layerName: string): VisitPlaced {
  return (visit) => {
    for (const { layers, left, top, pixels } of tiles) {
      const clip = {
        left: Math.max(0, left),
        top: Math.max(0, top),
        right: Math.min(thumbnailWidth, left + pixels),
        bottom: Math.min(thumbnailHeight, top + pixels),
      };
      for (const layer of layers) {
        if (layer.name !== layerName) continue;
        const { extent } = layer;
        const scale = pixels / extent;
        layer.visitGeometries((geometry) => visit({ geometry, scale, left, top, extent, clip }));
      }
    }
  };
}
