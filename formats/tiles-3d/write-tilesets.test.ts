import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeTilesets, type TileNode } from './write-tilesets.ts';

const { tree } = fc.letrec<{ tree: TileNode }>((tie) => ({
  tree: fc.record({
    region: fc.constant([0, 0, 1, 1, 0, 10]),
    geometricError: fc.nat(100),
    uri: fc.option(fc.stringMatching(/^t\/[0-9]{1,6}\.glb$/), { nil: undefined }),
    children: fc.oneof({ depthSize: 'medium' }, fc.constant([]), fc.array(tie('tree'), { maxLength: 4 })),
  }),
}));

interface WrittenTile {
  readonly geometricError: number;
  readonly content?: { readonly uri: string };
  readonly children?: readonly WrittenTile[];
}

test('a divided tileset has all tiles of the tree in their order, and no long file', () => {
  fc.assert(
    fc.property(tree, fc.integer({ min: 300, max: 3000 }), (root, maxBytes) => {
      const options = { version: '1.1', geometricError: 1000, extras: {}, maxBytes } as const;
      const files = new Map(writeTilesets(root, options).map(({ name, json }) => [name, json]));
      const rootOf = (name: string): WrittenTile =>
        (JSON.parse(files.get(name)!) as { readonly root: WrittenTile }).root;
      const read = (tile: WrittenTile): object =>
        tile.content?.uri.startsWith('subtree') === true
          ? read(rootOf(tile.content.uri))
          : {
              error: tile.geometricError,
              uri: tile.content?.uri,
              children: (tile.children ?? []).map(read),
            };
      const expect = ({ geometricError, uri, children }: TileNode): object => ({
        error: geometricError,
        uri,
        children: children.map(expect),
      });
      assert.deepEqual(read(rootOf('tileset.json')), expect(root));
      // four stubs and the frame of a file
      for (const [name, json] of files) assert.ok(json.length <= maxBytes + 1200, `${name}: ${json.length}`);
    }),
  );
});
