import { escapeXml } from '@platen/viewer/escape-xml';
import { mercatorMetres, type RasterTiles } from './raster-tiles.ts';

/** TMS 1.0.0 (OSGeo): the zooms of a layer in web mercator, in metres, with rows from the south. Cesium asks for it. */
export function tileMapResourceOf(tiles: RasterTiles): string {
  const { name, description, contentType, extension, minZoom, maxZoom, tilePixels, bounds } = tiles;
  const [west, south] = metresOf(bounds[0], bounds[1]);
  const [east, north] = metresOf(bounds[2], bounds[3]);
  const sets = Array.from({ length: maxZoom - minZoom + 1 }, (_, index) => {
    const zoom = minZoom + index;
    const unitsPerPixel = (2 * mercatorMetres) / (tilePixels * 2 ** zoom);
    return `    <TileSet href="${zoom}" units-per-pixel="${unitsPerPixel}" order="${zoom}"/>`;
  });
  return `<TileMap version="1.0.0" tilemapservice="http://tms.osgeo.org/1.0.0">
  <Title>${escapeXml(name)}</Title>
  <Abstract>${escapeXml(description)}</Abstract>
  <SRS>EPSG:3857</SRS>
  <BoundingBox minx="${west}" miny="${south}" maxx="${east}" maxy="${north}"/>
  <Origin x="${-mercatorMetres}" y="${-mercatorMetres}"/>
  <TileFormat width="${tilePixels}" height="${tilePixels}" mime-type="${contentType}" extension="${extension}"/>
  <TileSets profile="global-mercator">
${sets.join('\n')}
  </TileSets>
</TileMap>
`;
}

function metresOf(lon: number, lat: number): [x: number, y: number] {
  const y = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return [(lon / 180) * mercatorMetres, y * mercatorMetres];
}
