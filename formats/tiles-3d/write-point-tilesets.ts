/** A tile of points whose children add theirs to it. */
export interface PointTileNode {
  /** Where it lies in the tree; the root is 0. */
  readonly level: number;
  /** Names the file of a subtree. */
  readonly key: string;
  /** Lowest and highest x, y, z in metres of the root's frame. */
  readonly box: readonly number[];
  readonly geometricError: number;
  readonly uri: string | undefined;
  readonly children: readonly PointTileNode[];
}

interface TilesetFile {
  readonly name: string;
  readonly json: string;
}

export interface PointTilesetOptions {
  /** Of 3D Tiles: 1.1 where tiles are glTF. */
  readonly version: '1.0' | '1.1';
  /** From the root's frame to EPSG:4978, column by column. */
  readonly transform: readonly number[];
  /** The error of showing nothing, in metres. */
  readonly geometricError: number;
  readonly extras: object;
}

/** Levels in a file; those below are external tilesets. */
const levelsPerFile = 4;

/** A tileset of 3D Tiles that refines by adding, with an external tileset for every subtree of four levels. */
export function writePointTilesets(
  root: PointTileNode,
  { version, transform, geometricError, extras }: PointTilesetOptions,
): TilesetFile[] {
  const files: TilesetFile[] = [];
  const describe = (node: PointTileNode, isTop: boolean): object => {
    const isFile = !isTop && node.level % levelsPerFile === 0 && node.children.length > 0;
    if (isFile) {
      const name = `subtree-${node.key}.json`;
      files.push({ name, json: fileOf(node.geometricError, describe(node, true), { version }) });
      return { ...shared(node), content: { uri: name } };
    }
    return {
      ...shared(node),
      ...(isTop && { refine: 'ADD' }),
      ...(node.uri !== undefined && { content: { uri: node.uri } }),
      ...(node.children.length > 0 && { children: node.children.map((child) => describe(child, false)) }),
    };
  };
  const top = { transform, ...describe(root, true) };
  files.push({ name: 'tileset.json', json: fileOf(geometricError, top, { version, extras }) });
  return files;
}

function fileOf(
  geometricError: number,
  root: object,
  { version, ...more }: Pick<PointTilesetOptions, 'version'> & Partial<PointTilesetOptions>,
): string {
  return JSON.stringify({ asset: { version }, geometricError, ...more, root });
}

const rounded = (metres: number): number => Number(metres.toFixed(4));

function shared({ box, geometricError }: PointTileNode): object {
  const middle = [0, 1, 2].map((axis) => rounded((box[axis]! + box[axis + 3]!) / 2));
  // half a unit more, as places and middles are rounded
  const half = [0, 1, 2].map((axis) => rounded((box[axis + 3]! - box[axis]!) / 2 + 0.001));
  const volume = [...middle, half[0]!, 0, 0, 0, half[1]!, 0, 0, 0, half[2]!];
  return { boundingVolume: { box: volume }, geometricError };
}
