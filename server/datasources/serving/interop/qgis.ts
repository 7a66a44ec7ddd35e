import type { ServedDatasource } from '../access.ts';
import { escapeXml } from '@platen/viewer/escape-xml';

/** A layer in QGIS: its data provider and source. */
interface QgisLayer {
  readonly type: 'raster' | 'vector' | 'vector-tile';
  readonly provider: 'gdal' | 'ogr' | 'wms' | 'xyzvectortiles';
  readonly source: string;
  readonly epsg: 3857 | 4326;
}

interface Zooms {
  readonly minZoom: number | undefined;
  readonly maxZoom: number | undefined;
}

/** Tiles by a template with {z}, {x} and {y}, rows from the north. */
export function layerOfTiles(type: 'raster' | 'vector-tile', template: string, zooms: Zooms): QgisLayer {
  const { minZoom, maxZoom } = zooms;
  const url = encodeURIComponent(template).replaceAll(/%(?:3A|2F)/g, decodeURIComponent);
  const source = [
    'type=xyz',
    `url=${url}`,
    ...(maxZoom === undefined ? [] : [`zmax=${maxZoom}`]),
    ...(minZoom === undefined ? [] : [`zmin=${minZoom}`]),
  ].join('&');
  const provider = type === 'raster' ? 'wms' : 'xyzvectortiles';
  return { type, provider, source, epsg: 3857 };
}

/** The layer of the WMTS of a datasource. */
export function layerOfWmts(base: string, contentType: string): QgisLayer {
  const url = encodeURIComponent(`${base}/WMTSCapabilities.xml`).replaceAll(
    /%(?:3A|2F)/g,
    decodeURIComponent,
  );
  const source = `crs=EPSG:3857&format=${contentType}&layers=tiles&styles=default&tileMatrixSet=GoogleMapsCompatible&url=${url}`;
  return { type: 'raster', provider: 'wms', source, epsg: 3857 };
}

/** One file, read by ranges; `address` is its absolute address. */
export function layerOfFile(type: ServedDatasource['type'], address: string): QgisLayer | undefined {
  const source = `/vsicurl/${address}`;
  if (type === 'cog') return { type: 'raster', provider: 'gdal', source, epsg: 3857 };
  if (type === 'flatgeobuf' || type === 'geojson')
    return { type: 'vector', provider: 'ogr', source, epsg: 4326 };
  return undefined;
}

const systems = {
  3857: {
    proj4:
      '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs',
    name: 'WGS 84 / Pseudo-Mercator',
    acronym: 'merc',
    isGeographic: false,
  },
  4326: {
    proj4: '+proj=longlat +datum=WGS84 +no_defs',
    name: 'WGS 84',
    acronym: 'longlat',
    isGeographic: true,
  },
} as const;

/** Writes a layer definition file (.qlr) with the elements that QGIS cannot derive itself. */
export function layerDefinition(layer: QgisLayer, { id, name }: { id: string; name: string }): string {
  const { type, provider, source, epsg } = layer;
  const { proj4, name: system, acronym, isGeographic } = systems[epsg];
  const [layerId, title, from] = [`platen_${id}`, name, source].map(escapeXml) as [string, string, string];
  return `<!DOCTYPE qgis-layer-definition>
<qlr>
  <layer-tree-group name="" checked="Qt::Checked" expanded="1">
    <customproperties/>
    <layer-tree-layer id="${layerId}" name="${title}" source="${from}" providerKey="${provider}" checked="Qt::Checked" expanded="1">
      <customproperties/>
    </layer-tree-layer>
  </layer-tree-group>
  <maplayers>
    <maplayer type="${type}">
      <id>${layerId}</id>
      <datasource>${from}</datasource>
      <layername>${title}</layername>
      <srs>
        <spatialrefsys>
          <proj4>${proj4}</proj4>
          <srid>${epsg}</srid>
          <authid>EPSG:${epsg}</authid>
          <description>${system}</description>
          <projectionacronym>${acronym}</projectionacronym>
          <ellipsoidacronym>EPSG:7030</ellipsoidacronym>
          <geographicflag>${isGeographic}</geographicflag>
        </spatialrefsys>
      </srs>
      <provider>${provider}</provider>
    </maplayer>
  </maplayers>
</qlr>
`;
}
