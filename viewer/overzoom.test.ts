import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitOverzoom } from './overzoom.ts';

/** What a renderer of a layer is asked to draw a tile at, in a view of 100 m per pixel. @param zoom 0: 6,400 m per pixel */
function resolutionOf(zoom: number): number | undefined {
  const layer = {
    getSource: () => ({ getTileGridForProjection: () => ({ getResolution: (z: number) => 6400 / 2 ** z }) }),
    createRenderer: () => ({
      getTile: (z: number, x: number, y: number) =>
        ({ tileCoord: [z, x, y], wantedResolution: 100 }) as const,
    }),
  };
  const prototype = { getOLLayer: () => layer };
  limitOverzoom({ VectorTileOpenlayersImpl: { prototype } });
  const frame = { viewState: { projection: undefined } };
  return (
    prototype.getOLLayer().createRenderer().getTile as (...args: unknown[]) => { wantedResolution: number }
  )(zoom, 0, 0, frame).wantedResolution;
}

test('a tile is drawn as sharp as the view, but not more than four times as large as it is', () => {
  assert.deepEqual([0, 3, 4, 6, 8].map(resolutionOf), [1600, 200, 100, 100, 100]);
});
