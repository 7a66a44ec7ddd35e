import type { SourceFormat, SourceLayer } from '../source/source.ts';
import { encodingOf, readUtf8 } from '../xml/read-utf8.ts';
import { readXml, type XmlHandler } from '../xml/read-xml.ts';
import { createGpxHandler, gpxLayers, type GpxElement } from './gpx-handler.ts';

const maxTextBytes = 64 << 20;

/** GPS Exchange Format: waypoints, routes and tracks become a layer each. */
export const gpxFormat: SourceFormat = {
  name: 'gpx',
  title: 'GPX',
  async open(file, { signal }) {
    const counts = { wpt: 0, rte: 0, trk: 0 };
    const handler: XmlHandler = {
      start(xml) {
        if (xml.depth !== 2) return;
        const { local } = xml.name;
        if (local === 'wpt' || local === 'rte' || local === 'trk') counts[local]++;
        xml.skip();
      },
      text() {},
      end() {},
    };
    const encoding = await encodingOf(file);
    await readXml(readUtf8(file, encoding), handler, {
      encoding,
      maxBytes: maxTextBytes,
      onRead: () => signal.throwIfAborted(),
    });
    const kinds = (Object.keys(gpxLayers) as GpxElement[]).filter((kind) => counts[kind] > 0);
    const layers = kinds.map((kind): SourceLayer => ({
      name: gpxLayers[kind],
      // GPX 1.1, latitudeType and longitudeType: WGS 84.
      crs: 'OGC:CRS84',
      featureCount: counts[kind],
      fields: undefined,
      bbox: undefined,
      parts: [{ format: 'gpx', file, weight: Math.round(file.size / kinds.length), range: kind }],
    }));
    return { format: 'gpx', file, layers, warnings: [] };
  },
  async read({ file, range }, visit, { maxFeatureBytes, onProgress, keepsHeights }) {
    const handler = createGpxHandler(range as GpxElement, visit, keepsHeights);
    const encoding = await encodingOf(file);
    await readXml(readUtf8(file, encoding), handler, {
      encoding,
      maxBytes: maxFeatureBytes,
      onRead: (bytes) => onProgress?.(Math.min(1, bytes / file.size)),
    });
    return handler.features;
  },
};
