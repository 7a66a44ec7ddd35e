import { readTile, type TileGeometry } from '@platen/geo/mvt/read-tile';
import { openArchive } from '@platen/geo/pmtiles/archive';
import type { Archive } from '@platen/geo/pmtiles/read-archive';
import { ArchiveError, tileType } from '@platen/geo/pmtiles/header';
import { firstTileId, tileOfId } from '@platen/geo/pmtiles/tile-id';
import { pointType } from '@platen/geo/shape/shape';
import { latitudeOf, longitudeOf, worldSize } from '@platen/geo/tile/world-grid';
import type { Bytes } from '@platen/formats/bytes/bytes';
import { isObject } from '../../../base/is-object.ts';
import { unpackTile } from '../unpack-tile.ts';
import { collectNames, type NameCollector, type NameList } from './name-list.ts';

/** Tiles of the zoom that is read: of larger archives a lower one, whose tiles may lack features. */
const maxTiles = 2000;
/** Features of one name within so many zooms above the tile count once: a street is in several tiles. */
const sameNameZooms = 3;

/** The names of features in a PMTiles archive of vector tiles. @throws ArchiveError, TileError */
export async function readNamesOfTiles(bytes: Bytes, attribute: string): Promise<NameList> {
  const read = (offset: number, length: number) => bytes.read(offset, length);
  const archive = await openArchive(read);
  const { header } = archive;
  const names = collectNames();
  if (header.tileType !== tileType.mvt) return names.list(false);
  if (lacks(await archive.metadata(), attribute)) return names.list(false);
  const zoom = await zoomToRead(archive);
  for await (const { tileId, runLength, ...range } of archive.runs(firstTileId(zoom))) {
    if (tileId >= firstTileId(zoom + 1) || names.isFull) break;
    // tiles of one content have the same features, each a neighbour's
    if (runLength > 1) continue;
    const stored = await read(range.offset, range.length);
    if (stored.length < range.length) throw new ArchiveError('the archive is cut off');
    addTile(unpackTile(stored, header), { place: tileOfId(tileId), attribute, names });
  }
  return names.list(zoom < header.maxZoom);
}

/** Whether the archive lists the attributes of its layers, and this one is not among them. */
function lacks({ vector_layers: layers }: Readonly<Record<string, unknown>>, attribute: string): boolean {
  if (!Array.isArray(layers) || layers.length === 0) return false;
  return layers.every((layer: unknown) => {
    const fields = isObject(layer) ? layer['fields'] : undefined;
    return isObject(fields) && Object.keys(fields).length > 0 && !Object.hasOwn(fields, attribute);
  });
}

/** The highest zoom with a number of tiles that can be read. */
async function zoomToRead(archive: Archive): Promise<number> {
  const { minZoom, maxZoom } = archive.header;
  for (let zoom = maxZoom; zoom > minZoom; zoom--) {
    let count = 0;
    for await (const { tileId } of archive.runs(firstTileId(zoom)))
      if (tileId >= firstTileId(zoom + 1) || ++count > maxTiles) break;
    if (count <= maxTiles) return zoom;
  }
  return minZoom;
}

interface Tile {
  readonly place: readonly [z: number, x: number, y: number];
  readonly attribute: string;
  readonly names: NameCollector;
}

function addTile(bytes: Uint8Array, { place: [z, x, y], attribute, names }: Tile): void {
  const size = worldSize / 2 ** z;
  const area = `${x >> sameNameZooms}/${y >> sameNameZooms}`;
  for (const { extent, visitFeatures } of readTile(bytes))
    visitFeatures((geometry, attributes) => {
      const value = attributes().get(attribute);
      if (value === undefined || names.isFull) return;
      const [across, down] = middleOf(geometry);
      // what lies in the margin is in the neighbouring tile, too
      if (geometry.type === pointType && (across < 0 || down < 0 || across >= extent || down >= extent))
        return;
      const longitude = longitudeOf((x + across / extent) * size);
      const latitude = latitudeOf((y + down / extent) * size);
      const spot = geometry.type === pointType ? `${longitude.toFixed(4)} ${latitude.toFixed(4)}` : area;
      names.add(value, [longitude, latitude], spot);
    });
}

/** The middle of what the tile has of a feature, in its units. */
function middleOf({ coordinates, positionCount }: TileGeometry): [number, number] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positionCount * 2; at += 2) {
    const [x, y] = [coordinates[at]!, coordinates[at + 1]!];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return [(left + right) / 2, (top + bottom) / 2];
}
