import type { Bytes } from '../bytes/bytes.ts';
import {
  openSqlite,
  type Finder,
  type SqliteFile,
  type SqliteOptions,
  type SqliteTable,
  type Walker,
} from '../sqlite/open-sqlite.ts';
import type { SqlValue } from '../sqlite/record.ts';
import { tableOf, type Schema } from '../sqlite/read-schema.ts';
import { SqliteError } from '../sqlite/sqlite-error.ts';

/** The tiles of an MBTiles file (MBTiles 1.3), read by ranges. */
export interface MbtilesReader {
  /** The tile as it is stored, with rows that count from the north. @throws SqliteError */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  /**
   * The places of all tiles, zoom, column and row from the north, in an order of the file's own; or from one of them on.
   * @throws SqliteError
   */
  places(from?: TilePlace): AsyncGenerator<TilePlace>;
  /** Any one tile, the first that is stored. @throws SqliteError */
  someTile(): Promise<Uint8Array | undefined>;
}

/** What its table `metadata` says of the tiles. */
export interface MbtilesFacts {
  /** Format of the tiles: `pbf`, `png`, `jpg`, `webp` or a media type, in lower case; empty if not given. */
  readonly format: string;
  /** Undefined where `metadata` does not say. */
  readonly minZoom: number | undefined;
  readonly maxZoom: number | undefined;
  /** West, south, east, north in degrees; undefined where `metadata` does not say. */
  readonly bounds: readonly [number, number, number, number] | undefined;
}

/** An MBTiles file. */
export interface Mbtiles extends MbtilesReader, MbtilesFacts {
  /** The rows of its table `metadata`; of two of one name the first. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The tables that hold the tiles, by which `readMbtiles` reads them without parsing the schema again. */
  readonly schema: Schema;
}

export type TilePlace = readonly [z: number, x: number, y: number];

const place = ['zoom_level', 'tile_column', 'tile_row'] as const;
const maxMetadataRows = 10_000;

/** Two tables in which equal tiles are stored once, below a view `tiles`: their names, and that of what joins them. */
const pairs = [
  { places: 'map', images: 'images', id: 'tile_id' },
  { places: 'tiles_shallow', images: 'tiles_data', id: 'tile_data_id' },
] as const;

export const indexAdvice =
  'add one with: sqlite3 file.mbtiles "create unique index tile_index on tiles (zoom_level, tile_column, tile_row)"';

/** @throws SqliteError if it is not an MBTiles file, or has no index to find tiles by */
export async function openMbtiles(bytes: Bytes, options: SqliteOptions = {}): Promise<Mbtiles> {
  const file = await openSqlite(bytes, options);
  const reader = readerOf(file);
  const metadata = await readMetadata(file.table('metadata'));
  const zoom = (name: string) => wholeNumber(metadata.get(name));
  return {
    ...reader,
    schema: schemaOfTiles(file.schema),
    metadata,
    format: (metadata.get('format') ?? '').trim().toLowerCase(),
    minZoom: zoom('minzoom'),
    maxZoom: zoom('maxzoom'),
    bounds: boundsOf(metadata.get('bounds')),
  };
}

/** Reads tiles by a schema that was parsed before. @throws SqliteError */
export async function readMbtiles(
  bytes: Bytes,
  options: SqliteOptions & { readonly schema: Schema },
): Promise<MbtilesReader> {
  return readerOf(await openSqlite(bytes, options));
}

const tableNames = ['tiles', ...pairs.flatMap(({ places, images }) => [places, images])];
const maxIndexes = 64;

/** Leaves out of a schema what reading tiles does not need, so that it is small whatever the file. */
function schemaOfTiles(schema: Schema): Schema {
  const tables = tableNames.flatMap((name) => tableOf(schema, name) ?? []);
  const view = schema.views.find(({ name }) => name.toLowerCase() === 'tiles');
  return {
    tables: tables.map(({ name, root, shape: { columns, rowidColumn, primaryKey }, indexes }) => ({
      name,
      root,
      shape: { columns, rowidColumn, primaryKey, uniques: [] },
      indexes: indexes.slice(0, maxIndexes).map((index) => ({
        name: index.name,
        root: index.root,
        columns: index.columns.slice(0, place.length),
      })),
    })),
    views: view ? [{ name: view.name, sql: '' }] : [],
  };
}

function readerOf(file: SqliteFile): MbtilesReader {
  const { find, walk, images } = tilesOf(file);
  return {
    tile: (z, x, y) => find([z, x, 2 ** z - 1 - y]),
    async *places(from) {
      let before = '';
      for await (const stored of walk(from && [from[0], from[1], flipped(from[0], from[2])])) {
        const [z, x, y] = stored as number[] as [number, number, number];
        const isPlace = stored.every(Number.isInteger) && z >= 0 && z <= 30 && isIn(z, x) && isIn(z, y);
        if (!isPlace || before === stored.join()) continue;
        before = stored.join();
        yield [z, x, flipped(z, y)];
      }
    },
    async someTile() {
      const column = columnOf(images, 'tile_data');
      for await (const row of images.rows()) return bytesOf(row[column]);
      return undefined;
    },
  };
}

const flipped = (z: number, y: number) => 2 ** z - 1 - y;
const isIn = (z: number, at: number) => at >= 0 && at < 2 ** z;

type FindTile = (place: readonly number[]) => Promise<Uint8Array | undefined>;

interface Tiles {
  readonly find: FindTile;
  readonly walk: Walker;
  readonly images: SqliteTable;
}

function tilesOf(file: SqliteFile): Tiles {
  const plain = file.table('tiles');
  if (plain) return { find: findPlain(plain), walk: walkOf(plain), images: plain };
  if (!file.views.some(({ name }) => name.toLowerCase() === 'tiles'))
    throw new SqliteError('it is not an MBTiles file: it has no table or view called tiles');
  for (const { places, images, id } of pairs) {
    const [placeTable, imageTable] = [file.table(places), file.table(images)];
    if (placeTable && imageTable)
      return {
        find: findJoined(placeTable, imageTable, id),
        walk: walkOf(placeTable),
        images: imageTable,
      };
  }
  throw new SqliteError(
    'its view tiles uses an unsupported schema: make it a table with "create table ... as select * from tiles", or convert the file to PMTiles',
  );
}

function findPlain(tiles: SqliteTable): FindTile {
  const data = columnOf(tiles, 'tile_data');
  const find = tiles.finder(place);
  if (!find)
    throw new SqliteError(
      `finding a tile would require reading the whole file: its table tiles has no index; ${indexAdvice}`,
    );
  return async (tile) => bytesOf((await firstOf(find, tile))?.[data]);
}

function findJoined(places: SqliteTable, images: SqliteTable, id: string): FindTile {
  const [reference, data] = [columnOf(places, id), columnOf(images, 'tile_data')];
  const [find, findImage] = [places.finder(place), images.finder([id])];
  if (!find) {
    const advice = indexAdvice.replace(' on tiles ', ` on ${places.name} `);
    throw new SqliteError(
      `finding a tile would require reading the whole file: its table ${places.name} has no index; ${advice}`,
    );
  }
  if (!findImage) {
    const command = `sqlite3 file.mbtiles "create unique index image_index on ${images.name} (${id})"`;
    throw new SqliteError(
      `finding a tile would require reading the whole file: its table ${images.name} has no index; add one with: ${command}`,
    );
  }
  return async (tile) => {
    const name = (await firstOf(find, tile))?.[reference];
    return name === undefined || name === null
      ? undefined
      : bytesOf((await firstOf(findImage, [name]))?.[data]);
  };
}

/** Uses the index that finding a tile requires. */
const walkOf = (table: SqliteTable): Walker => table.walker(place)!;

async function firstOf(find: Finder, values: readonly SqlValue[]) {
  for await (const row of find(values)) return row;
  return undefined;
}

function columnOf({ name, columns }: SqliteTable, columnName: string): number {
  const column = columns.findIndex((each) => each.toLowerCase() === columnName);
  if (column < 0)
    throw new SqliteError(`it is not an MBTiles file: its table ${name} has no column ${columnName}`);
  return column;
}

function bytesOf(value: SqlValue | undefined): Uint8Array | undefined {
  return value instanceof Uint8Array && value.length > 0 ? value : undefined;
}

async function readMetadata(table: SqliteTable | undefined): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  if (!table) return rows;
  const [name, value] = [columnOf(table, 'name'), columnOf(table, 'value')];
  let count = 0;
  for await (const row of table.rows()) {
    if (++count > maxMetadataRows) break;
    const [key, text] = [row[name], row[value]];
    if (typeof key === 'string' && text !== null && !rows.has(key)) rows.set(key, textOf(text));
  }
  return rows;
}

function textOf(value: SqlValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}

function wholeNumber(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? NaN : Number(text);
  return Number.isInteger(number) && number >= 0 && number <= 30 ? number : undefined;
}

function boundsOf(text: string | undefined): readonly [number, number, number, number] | undefined {
  const [west, south, east, north, more] = (text ?? '').split(',').map(Number);
  const numbers = [west, south, east, north] as [number, number, number, number];
  return more === undefined && numbers.every((each) => Number.isFinite(each)) ? numbers : undefined;
}
