import type { ArchiveWriter, StoredTile } from '@platen/geo/pmtiles/writer';
import { readRange, type FileRange } from './scratch-file.ts';
import type { UnitTiles, ZoomTiles } from './tile-log.ts';

/** All tiles, in scratch files. */
export interface MadeTiles {
  /** Units whose areas follow each other along the Hilbert curve. */
  readonly leaves: readonly UnitTiles[];
  /** Units for the zooms above the leaves; no two contain tiles of the same zoom. */
  readonly tops: readonly UnitTiles[];
}

export interface MergeOptions extends MadeTiles {
  readonly writer: ArchiveWriter;
  readonly onTiles: (tiles: number) => Promise<void>;
}

interface Tile {
  readonly tileId: number;
  readonly hashA: number;
  readonly hashB: number;
  /** Valid until the next tile is read; undefined if the tile repeats an earlier one of its unit. */
  readonly bytes: Uint8Array | undefined;
  /** Remembers where the content was stored in the archive. */
  readonly place: { get(): StoredTile; set(stored: StoredTile): void };
}

const maxKnownTiles = 300_000;
const tilesPerReport = 4096;

/**
 * Writes the tiles of all units into the archive, zoom by zoom along the Hilbert curve. A zoom's tiles come from leaf
 * units and top units, so two ascending sequences are merged. Small tiles with equal content are stored once per zoom.
 */
export async function mergeTiles({ leaves, tops, writer, onTiles }: MergeOptions): Promise<void> {
  const zooms = Math.max(0, ...[...leaves, ...tops].map((unit) => unit.length));
  let unreported = 0;
  for (let z = 0; z < zooms; z++) {
    const known = new Map<number, StoredTile & { readonly hashB: number }>();
    for (const { tileId, hashA, hashB, bytes, place } of merge(tilesOf(leaves, z), tilesOf(tops, z))) {
      if (bytes === undefined) writer.addDuplicate(tileId, place.get());
      else {
        const same = hashA === 0 ? undefined : known.get(hashA);
        if (same?.hashB === hashB) {
          writer.addDuplicate(tileId, same);
          place.set(same);
        } else {
          const stored = writer.addTile(tileId, bytes);
          place.set(stored);
          if (hashA !== 0 && known.size < maxKnownTiles) known.set(hashA, { ...stored, hashB });
        }
      }
      if (++unreported === tilesPerReport) {
        await onTiles(unreported);
        unreported = 0;
      }
    }
  }
  await onTiles(unreported);
}

function* merge(one: Generator<Tile, void>, other: Generator<Tile, void>): Generator<Tile, void> {
  let a = one.next();
  let b = other.next();
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.tileId < b.value.tileId)) {
      yield a.value;
      a = one.next();
    } else if (!b.done) {
      yield b.value;
      b = other.next();
    }
  }
}

/** The tiles of one zoom, unit by unit. */
export function* tilesOf(units: readonly UnitTiles[], z: number): Generator<Tile, void> {
  for (const unit of units) {
    const tiles = unit[z];
    if (tiles !== undefined) yield* unitTiles(tiles);
  }
}

function* unitTiles({ data, entries, tiles }: ZoomTiles): Generator<Tile, void> {
  const content = createReader(data);
  const rows = createReader(entries);
  const row = new Float64Array(4);
  const rowBytes = new Uint8Array(row.buffer);
  let places = new Float64Array(256);
  let contents = 0;
  for (let i = 0; i < tiles; i++) {
    rowBytes.set(rows.read(32));
    const [tileId, length, hashA, hashB] = row as unknown as [number, number, number, number];
    const repeats = length < 0;
    const ordinal = repeats ? -1 - length : contents++;
    if (ordinal * 2 + 2 > places.length) {
      const larger = new Float64Array(places.length * 2);
      larger.set(places);
      places = larger;
    }
    yield {
      tileId,
      hashA,
      hashB,
      bytes: repeats ? undefined : content.read(length),
      place: {
        get: () => ({ offset: places[ordinal * 2]!, length: places[ordinal * 2 + 1]! }),
        set: ({ offset, length: stored }) => places.set([offset, stored], ordinal * 2),
      },
    };
  }
}

/** Reads a range in chunks; a chunk is valid until the next read. */
function createReader(range: FileRange): { read(length: number): Uint8Array } {
  const parts = readRange(range);
  let part: Uint8Array = new Uint8Array(0);
  let at = 0;
  return {
    read(length) {
      if (at + length <= part.length) {
        at += length;
        return part.subarray(at - length, at);
      }
      const chunk = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        if (at === part.length) {
          const next = parts.next();
          if (next.done) throw new Error(`the scratch file ${range.path} is shorter than it was`);
          part = next.value;
          at = 0;
        }
        const take = Math.min(length - filled, part.length - at);
        chunk.set(part.subarray(at, at + take), filled);
        filled += take;
        at += take;
      }
      return chunk;
    },
  };
}
