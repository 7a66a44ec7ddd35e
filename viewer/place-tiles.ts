// Runs in the browser, as a part of start.ts. Engines before 6.3 draw vector tiles for the globe around the middle of
// their latitudes instead of the middle of their square, so that those of low zoom levels are shifted.

type Extent = readonly [west: number, south: number, east: number, north: number];
interface Provider {
  readonly tileProvider: {
    readonly tilingScheme: { tileXYToRectangle(x: number, y: number, level: number): object };
    getFeaturesForTile(x: number, y: number, level: number, headers: unknown): Promise<object[]>;
  };
  readonly emptyCanvas: HTMLCanvasElement;
  readonly headers?: unknown;
  readonly _tileSize: readonly number[];
}
type RequestImage = (
  this: Provider,
  x: number,
  y: number,
  level: number,
) => Promise<HTMLCanvasElement | undefined>;

export interface TileCore {
  readonly VectorTileImageryProvider: { readonly prototype: { requestImage: RequestImage } };
  /** In radians. */
  readonly getCanvasFromFeatures: (
    features: readonly object[],
    extent: Extent,
    centre: { readonly longitude: number; readonly latitude: number },
    size: readonly number[],
  ) => HTMLCanvasElement;
  /** In metres of Web Mercator. */
  readonly rectangleToExtent: (rectangle: object) => Extent;
}

const earthRadius = 6_378_137;

/** Draws each tile where it belongs. */
export function placeTiles({
  VectorTileImageryProvider,
  getCanvasFromFeatures,
  rectangleToExtent,
}: TileCore): void {
  VectorTileImageryProvider.prototype.requestImage = async function requestPlaced(x, y, level) {
    const features = await this.tileProvider.getFeaturesForTile(x, y, level, this.headers);
    if (features.length === 0) return this.emptyCanvas;
    const extent = rectangleToExtent(this.tileProvider.tilingScheme.tileXYToRectangle(x, y, level));
    const [west, south, east, north] = extent;
    const longitude = (west + east) / 2 / earthRadius;
    const latitude = Math.atan(Math.sinh((south + north) / 2 / earthRadius));
    return getCanvasFromFeatures(features, extent, { longitude, latitude }, this._tileSize);
  };
}
