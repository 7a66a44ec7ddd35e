/** A tile of a tree; its content includes no others. */
export interface TileNode {
  /** West, south, east, north in radians, and heights in metres. */
  readonly region: readonly number[];
  readonly geometricError: number;
  /** Path of the content; undefined for a tile without any. */
  readonly uri: string | undefined;
  /** How its children are shown; undefined: instead of it, as those of all other tiles. */
  readonly refine?: 'ADD' | 'REPLACE' | undefined;
  readonly children: readonly TileNode[];
}

export interface TilesetFile {
  readonly name: string;
  readonly json: string;
}

export interface TilesetOptions {
  readonly version: '1.0' | '1.1';
  /** The error of showing nothing, in metres. */
  readonly geometricError: number;
  readonly extras: object;
  /** Files are divided above this. */
  readonly maxBytes: number;
}

interface WrittenTile {
  readonly json: string;
  readonly bytes: number;
}

/** Divides a tree into a tileset.json and external tilesets, so that none is long. The root comes last. */
export function writeTilesets(root: TileNode, options: TilesetOptions): TilesetFile[] {
  const files: TilesetFile[] = [];
  const asset = JSON.stringify({ version: options.version });
  const write = (tile: TileNode, isRoot: boolean): WrittenTile => {
    const children = tile.children.map((child) => ({ child, written: write(child, false) }));
    const own = describe(tile, isRoot);
    let bytes = own.length + children.reduce((sum, { written }) => sum + written.bytes, 0);
    // the largest subtrees move to files of their own until the rest is short
    for (const one of children.toSorted((a, b) => b.written.bytes - a.written.bytes)) {
      if (bytes <= options.maxBytes || one.child.children.length === 0) break;
      const name = `subtree-${files.length}.json`;
      const { geometricError } = one.child;
      files.push({
        name,
        json: `{"asset":${asset},"geometricError":${geometricError},"root":${withRefine(one.child, one.written.json)}}`,
      });
      const stub = describe({ ...one.child, uri: name }, false);
      bytes += stub.length - one.written.bytes;
      one.written = { json: `${stub}}`, bytes: stub.length };
    }
    const inner = children.map(({ written }) => written.json).join(',');
    return { json: children.length === 0 ? `${own}}` : `${own},"children":[${inner}]}`, bytes };
  };
  const { json } = write(root, true);
  const { geometricError, extras } = options;
  const top = `{"asset":${asset},"geometricError":${geometricError},"extras":${JSON.stringify(extras)},"root":${json}}`;
  files.push({ name: 'tileset.json', json: top });
  return files;
}

const withRefine = ({ refine }: TileNode, json: string): string =>
  refine === undefined ? `{"refine":"REPLACE",${json.slice(1)}` : json;

/** A tile without its children, open at its end. */
function describe({ region, geometricError, uri, refine }: TileNode, isRoot: boolean): string {
  const tile = {
    boundingVolume: { region },
    geometricError,
    ...((isRoot || refine !== undefined) && { refine: refine ?? 'REPLACE' }),
    ...(uri !== undefined && { content: { uri } }),
  };
  return JSON.stringify(tile).slice(0, -1);
}
