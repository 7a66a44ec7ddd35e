import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subtreeOf } from './testing-tiles.ts';
import { readTileTree } from './tile-tree.ts';
import type { TileOfTree } from './tree-context.ts';

test('implicit tiles stand where their subtrees say', async () => {
  const root = {
    boundingVolume: { region: [0, 0, 1, 1, 0, 1] },
    geometricError: 64,
    refine: 'ADD',
    content: { uri: 'c/{level}-{x}-{y}.glb' },
    implicitTiling: {
      subdivisionScheme: 'QUADTREE',
      subtreeLevels: 2,
      availableLevels: 3,
      subtrees: { uri: 's/{level}-{x}-{y}.subtree' },
    },
  };
  const files: Record<string, Uint8Array> = {
    'tileset.json': Buffer.from(JSON.stringify({ asset: { version: '1.1' }, geometricError: 99, root })),
    // the root, and its children 1 (x 1, y 0) and 2 (x 0, y 1); below child 2 a subtree at x 1, y 3
    's/0-0-0.subtree': subtreeOf({ tiles: [0, 2, 3], contents: [0, 2], children: [11] }),
    's/2-1-3.subtree': subtreeOf({ tiles: [0], contents: [0], children: [] }),
    'c/0-0-0.glb': Buffer.alloc(1),
    'c/1-1-0.glb': Buffer.alloc(1),
    'c/2-1-3.glb': Buffer.alloc(1),
  };
  const { root: tree } = await readTileTree('tileset.json', {
    takeTurn: async () => {},
    read: async (path) => files[path],
    has: (path) => path in files,
    onNotice: (notice, detail) => assert.fail(`${notice}: ${detail}`),
  });
  const described = ({ geometricError, refine, contents, children }: TileOfTree): unknown => [
    geometricError,
    refine,
    contents.map(({ path }) => path),
    ...children.map(described),
  ];
  assert.deepEqual(described(tree), [
    64,
    'ADD',
    ['c/0-0-0.glb'],
    [32, 'ADD', ['c/1-1-0.glb']],
    [32, 'ADD', [], [16, 'ADD', ['c/2-1-3.glb']]],
  ]);
});

test('transforms multiply downwards, and scale errors', async () => {
  const scaled = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 10, 0, 0, 1];
  const volume = { boundingVolume: { sphere: [0, 0, 0, 1] } };
  const outer = {
    asset: { version: '1.0' },
    geometricError: 9,
    root: { ...volume, geometricError: 8, transform: scaled, content: { url: 'in/tileset.json' } },
  };
  const inner = {
    asset: { version: '0.0', gltfUpAxis: 'Z' },
    geometricError: 9,
    root: { ...volume, geometricError: 4, transform: scaled, content: { uri: '../a.b3dm' } },
  };
  const files: Record<string, Uint8Array> = {
    'tileset.json': Buffer.from(JSON.stringify(outer)),
    'in/tileset.json': Buffer.from(JSON.stringify(inner)),
    'a.b3dm': Buffer.alloc(1),
  };
  const { root } = await readTileTree('tileset.json', {
    takeTurn: async () => {},
    read: async (path) => files[path],
    has: (path) => path in files,
    onNotice: (notice, detail) => assert.fail(`${notice}: ${detail}`),
  });
  assert.equal(root.geometricError, 16);
  const [below] = root.children;
  assert.equal(below!.geometricError, 16);
  assert.deepEqual(below!.contents, [
    { path: 'a.b3dm', matrix: [4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 30, 0, 0, 1], upAxis: 'z' },
  ]);
});
