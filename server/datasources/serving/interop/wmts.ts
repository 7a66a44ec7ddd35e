import { invalidAt } from '../../../base/failure.ts';
import { mercatorMetres, type RasterTiles } from './raster-tiles.ts';
import { escapeXml } from '@platen/viewer/escape-xml';

/** Pixel size of the standard. */
const pixelMetres = 0.000_28;

/** WMTS 1.0.0, OGC 07-057r7: one layer in the tiling GoogleMapsCompatible; `base` is the absolute address of the datasource. */
export function capabilitiesOf(tiles: RasterTiles, base: string): string {
  const { name, description, contentType, extension, bounds } = tiles;
  const [west, south, east, north] = bounds;
  const address = escapeXml(base);
  const operation = (of: string) =>
    `<ows:Operation name="${of}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${address}/wmts?"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation>`;
  return `<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
  <ows:ServiceIdentification>
    <ows:Title>${escapeXml(name)}</ows:Title>
    <ows:Abstract>${escapeXml(description)}</ows:Abstract>
    <ows:ServiceType>OGC WMTS</ows:ServiceType>
    <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
  </ows:ServiceIdentification>
  <ows:OperationsMetadata>
    ${operation('GetCapabilities')}
    ${operation('GetTile')}
  </ows:OperationsMetadata>
  <Contents>
    <Layer>
      <ows:Title>${escapeXml(name)}</ows:Title>
      <ows:Abstract>${escapeXml(description)}</ows:Abstract>
      <ows:WGS84BoundingBox>
        <ows:LowerCorner>${west} ${south}</ows:LowerCorner>
        <ows:UpperCorner>${east} ${north}</ows:UpperCorner>
      </ows:WGS84BoundingBox>
      <ows:Identifier>tiles</ows:Identifier>
      <Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>
      <Format>${contentType}</Format>
      <TileMatrixSetLink>
        <TileMatrixSet>GoogleMapsCompatible</TileMatrixSet>
        <TileMatrixSetLimits>
${zoomsOf(tiles)
  .map((z) => limitsOf(z, tiles))
  .join('\n')}
        </TileMatrixSetLimits>
      </TileMatrixSetLink>
      <ResourceURL format="${contentType}" resourceType="tile" template="${address}/xyz/{TileMatrix}/{TileCol}/{TileRow}.${extension}"/>
    </Layer>
    <TileMatrixSet>
      <ows:Identifier>GoogleMapsCompatible</ows:Identifier>
      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
${zoomsOf(tiles)
  .map((z) => matrixOf(z, tiles))
  .join('\n')}
    </TileMatrixSet>
  </Contents>
  <ServiceMetadataURL xlink:href="${address}/WMTSCapabilities.xml"/>
</Capabilities>
`;
}

function zoomsOf({ minZoom, maxZoom }: RasterTiles): number[] {
  return Array.from({ length: maxZoom - minZoom + 1 }, (_, index) => minZoom + index);
}

function matrixOf(z: number, { tilePixels }: RasterTiles): string {
  const metresPerPixel = (2 * mercatorMetres) / (tilePixels * 2 ** z);
  return `      <TileMatrix>
        <ows:Identifier>${z}</ows:Identifier>
        <ScaleDenominator>${metresPerPixel / pixelMetres}</ScaleDenominator>
        <TopLeftCorner>${-mercatorMetres} ${mercatorMetres}</TopLeftCorner>
        <TileWidth>${tilePixels}</TileWidth>
        <TileHeight>${tilePixels}</TileHeight>
        <MatrixWidth>${2 ** z}</MatrixWidth>
        <MatrixHeight>${2 ** z}</MatrixHeight>
      </TileMatrix>`;
}

function limitsOf(z: number, { bounds: [west, south, east, north] }: RasterTiles): string {
  const tile = (part: number) => Math.min(2 ** z - 1, Math.max(0, Math.floor(part * 2 ** z)));
  return `          <TileMatrixLimits><TileMatrix>${z}</TileMatrix><MinTileRow>${tile(rowPart(north))}</MinTileRow><MaxTileRow>${tile(rowPart(south))}</MaxTileRow><MinTileCol>${tile(west / 360 + 0.5)}</MinTileCol><MaxTileCol>${tile(east / 360 + 0.5)}</MaxTileCol></TileMatrixLimits>`;
}

/** Returns the position from north (0) to south (1). */
function rowPart(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** A request by key-value pairs. */
export type WmtsRequest = 'capabilities' | { readonly z: number; readonly x: number; readonly y: number };

/** Reads a query; keys are case-insensitive by the standard. @throws Failure `invalid` */
export function wmtsRequestOf(query: string): WmtsRequest {
  const given = new Map([...new URLSearchParams(query)].map(([key, value]) => [key.toLowerCase(), value]));
  const request = given.get('request')?.toLowerCase();
  if (given.get('service')?.toLowerCase() !== 'wmts') throw invalidAt('service', 'It must be WMTS.');
  if (request === 'getcapabilities') return 'capabilities';
  if (request !== 'gettile') throw invalidAt('request', 'It must be GetCapabilities or GetTile.');
  const number = (key: string) => {
    const value = given.get(key.toLowerCase()) ?? '';
    if (!/^\d{1,10}$/.test(value)) throw invalidAt(key, 'It must be a whole number.');
    return Number(value);
  };
  return { z: number('TileMatrix'), x: number('TileCol'), y: number('TileRow') };
}
