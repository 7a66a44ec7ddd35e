// Runs in the browser, as a part of start.ts: flat maps draw tiles of lower zooms no larger than they are useful while the
// right ones load. OpenLayers draws such a tile as sharp as the view: five zooms lower as a picture of 8,192 × 8,192 pixels,
// which takes seconds and 256 MB.

interface Tile {
  readonly tileCoord: readonly [zoom: number, x: number, y: number];
  /** In map units per pixel; undefined before the first frame. Sets the size of the picture. */
  wantedResolution?: number | undefined;
}
interface FrameState {
  readonly viewState: { readonly projection: unknown };
}
interface TileRenderer {
  getTile: (this: TileRenderer, zoom: number, x: number, y: number, frame: FrameState) => Tile | null;
}
interface TileLayer {
  getSource(): {
    getTileGridForProjection(projection: unknown): { getResolution(zoom: number): number };
  } | null;
  createRenderer: (this: TileLayer) => TileRenderer;
}
type MakeLayer = (this: unknown) => TileLayer;

/** The part of engines 5.0 to 6.3 that is used. */
export interface OverzoomCore {
  readonly VectorTileOpenlayersImpl: { readonly prototype: { getOLLayer: MakeLayer } };
}

/** Pixels of a tile's picture per pixel of the tile, in each direction. */
const maxOverzoom = 4;

/** Before the first layer is made. */
export function limitOverzoom({ VectorTileOpenlayersImpl: { prototype } }: OverzoomCore): void {
  const makeLayer = prototype.getOLLayer;
  prototype.getOLLayer = function makeLimitedLayer() {
    const layer = makeLayer.call(this);
    const makeRenderer = layer.createRenderer;
    layer.createRenderer = function makeLimitedRenderer() {
      const renderer = makeRenderer.call(this);
      const getTile = renderer.getTile;
      renderer.getTile = function getLimitedTile(zoom, x, y, frame) {
        const tile = getTile.call(this, zoom, x, y, frame);
        const grid = layer.getSource()?.getTileGridForProjection(frame.viewState.projection);
        if (tile?.wantedResolution !== undefined && grid) {
          const minResolution = grid.getResolution(tile.tileCoord[0]) / maxOverzoom;
          tile.wantedResolution = Math.max(tile.wantedResolution, minResolution);
        }
        return tile;
      };
      return renderer;
    };
    return layer;
  };
}
