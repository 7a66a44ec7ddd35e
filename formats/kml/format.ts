import type { Source, SourceFile, SourceFormat } from '../source/source.ts';
import { encodingOf, readUtf8 } from '../xml/read-utf8.ts';
import { readXml, type XmlHandler } from '../xml/read-xml.ts';
import { createKmlHandler } from './kml-handler.ts';

/** Scanned before reading, for contents that are not supported. */
const firstBytes = 8 << 20;
const maxTextBytes = 64 << 20;
const overlays = ['GroundOverlay', 'PhotoOverlay', 'ScreenOverlay'] as const;
type NotRead = 'NetworkLink' | (typeof overlays)[number];
const notRead: ReadonlyMap<string, NotRead> = new Map(
  (['NetworkLink', ...overlays] as const).map((element) => [element, element]),
);

/** Keyhole Markup Language 2.x: one layer, which its styles and folders keep from being divided. */
export const kmlFormat: SourceFormat = {
  name: 'kml',
  title: 'KML',
  async open(file) {
    const counts = await countNotRead(file);
    return {
      format: 'kml',
      file,
      layers: [
        {
          name: undefined,
          // KML 2.3, 6.1: WGS 84, longitude first, whatever the file.
          crs: 'OGC:CRS84',
          featureCount: undefined,
          fields: undefined,
          bbox: undefined,
          parts: [{ format: 'kml', file, weight: file.size, range: undefined }],
        },
      ],
      warnings: warningsOf(counts, file.size > firstBytes),
    };
  },
  async read({ file }, visit, { maxFeatureBytes, onProgress, keepsHeights }) {
    const handler = createKmlHandler(visit, keepsHeights);
    const encoding = await encodingOf(file);
    await readXml(readUtf8(file, encoding), handler, {
      encoding,
      maxBytes: maxFeatureBytes,
      onRead: (bytes) => onProgress?.(Math.min(1, bytes / file.size)),
    });
    return handler.features;
  },
};

async function countNotRead(file: SourceFile): Promise<ReadonlyMap<NotRead, number>> {
  const counts = new Map<NotRead, number>();
  const handler: XmlHandler = {
    start({ name: { local } }) {
      const element = notRead.get(local);
      if (element !== undefined) counts.set(element, (counts.get(element) ?? 0) + 1);
    },
    end() {},
    text() {},
  };
  const encoding = await encodingOf(file);
  await readXml(readUtf8(file, encoding, { start: 0, end: firstBytes }), handler, {
    encoding,
    maxBytes: maxTextBytes,
    endsAnywhere: file.size > firstBytes,
  });
  return counts;
}

function warningsOf(counts: ReadonlyMap<NotRead, number>, isStart: boolean): Source['warnings'] {
  return [...counts].map(([element, count]) => {
    const what =
      element === 'NetworkLink'
        ? 'links to other files, which are not fetched'
        : 'is an image, not a feature';
    const more = isStart ? 'at least ' : '';
    return {
      code: `unsupported${element}` as const,
      message: `${more}${count} × ${element} is omitted: it ${what}`,
    };
  });
}
