import { rootElement } from '../xml/root-element.ts';
import { data, notRecognised, unsupported, type Recognised } from './recognised.ts';

const convert = 'save its features as GeoPackage or GeoJSON';
const city = 'use a job for 3D buildings';

/** Known root elements, without their prefix. */
const roots: Readonly<Record<string, Recognised>> = {
  kml: data('kml'),
  gpx: data('gpx'),
  CityModel: unsupported('a CityGML city model', city),
  osm: unsupported('an OpenStreetMap extract (OSM XML)', `this is not supported yet, ${convert}`),
  osmChange: unsupported('an OpenStreetMap change file', 'upload an extract of the data itself'),
  html: notRecognised(
    'a web page',
    'it may be the error message of a server; open it to read it, and download the data again',
  ),
  svg: unsupported('an SVG drawing', 'it has no geographic coordinates'),
  rss: unsupported('a news feed', convert),
  feed: unsupported('a news feed', convert),
  LandXML: unsupported('a LandXML file', convert),
  MD_Metadata: notRecognised('a description of data (metadata)', 'upload the data itself'),
  MI_Metadata: notRecognised('a description of data (metadata)', 'upload the data itself'),
  metadata: notRecognised('a description of data (metadata)', 'upload the data itself'),
  qgis: notRecognised('a QGIS project or style', 'upload the layers themselves'),
  StyledLayerDescriptor: notRecognised('a style (SLD)', 'upload the data itself'),
  ServiceExceptionReport: notRecognised(
    'the error message of a web service',
    'open it to read it, and download the data again',
  ),
  ExceptionReport: notRecognised(
    'the error message of a web service',
    'open it to read it, and download the data again',
  ),
  WFS_Capabilities: notRecognised(
    'the description of a web service',
    'download its features with GetFeature',
  ),
  WMS_Capabilities: notRecognised(
    'the description of a web service',
    'it serves images, request the data itself',
  ),
  Capabilities: notRecognised('the description of a web service', 'request the data itself'),
  schema: notRecognised('an XML schema', 'upload the data it describes'),
};

/** Undefined of what has no root element. */
export function recogniseXml(head: Buffer): Recognised | undefined {
  const root = rootElement(head);
  if (root === undefined) return undefined;
  const known = Object.hasOwn(roots, root.name) ? roots[root.name] : undefined;
  if (known !== undefined) return known;
  const namespace = root.namespace ?? '';
  // UTF-16 has a zero in every other byte.
  const text = head.toString('latin1').replaceAll('\0', '');
  if (/opengis\.net\/(?:gml|wfs)/.test(namespace) || text.includes('opengis.net/gml')) return data('gml');
  return unsupported(
    `an XML file with the root element "${root.name.slice(0, 50)}"`,
    `it is not KML, GML or GPX, ${convert}`,
  );
}
