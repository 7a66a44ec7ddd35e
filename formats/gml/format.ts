import type { Source, SourceFormat, SourceLayer } from '../source/source.ts';
import { readUtf8 } from '../xml/read-utf8.ts';
import { readXml } from '../xml/read-xml.ts';
import { createGmlHandler } from './gml-handler.ts';
import { scanGml, type GmlScan, type GmlStretch } from './scan-gml.ts';

interface GmlRange extends GmlStretch {
  readonly type: string;
  readonly srsName: string | undefined;
  readonly encoding: string;
  readonly rootIsFeature: boolean;
}

const longestTextBytes = 256 << 20;

/**
 * Geography Markup Language 2 and 3, and the answers of a WFS: a layer for each type of features. Opening goes over
 * all of the file, as nothing else tells its types; each layer's parts are then only where its features are.
 */
export const gmlFormat: SourceFormat = {
  name: 'gml',
  title: 'GML',
  async open(file, { signal, partBytes }) {
    const scan = await scanGml(file, { signal, partBytes, longestBytes: longestTextBytes });
    const { encoding, rootIsFeature } = scan;
    const layers = scan.types.map((type): SourceLayer => {
      const { name, srsName, features, stretches } = type;
      // Only of UTF-8 can a stretch be read without what lies before it.
      const parts = encoding === 'utf-8' ? stretches : [{ ...stretches[0]!, end: stretches.at(-1)!.end }];
      return {
        name,
        crs: srsName,
        featureCount: features,
        fields: undefined,
        bbox: undefined,
        parts: parts.map((stretch) => {
          const range: GmlRange = { ...stretch, type: name, srsName, encoding, rootIsFeature };
          return { format: 'gml', file, weight: stretch.end - stretch.start, range };
        }),
      };
    });
    return { format: 'gml', file, layers, warnings: warningsOf(scan) };
  },
  async read({ file, range }, visit, { longestFeatureBytes, onProgress }) {
    const stretch = range as GmlRange;
    const { start, end, encoding } = stretch;
    const head = Buffer.from(stretch.openTags);
    const handler = createGmlHandler(visit, {
      ...stretch,
      place: (place) => ({
        line: stretch.line + place.line - 1,
        ...(place.byte !== undefined && { byte: start + place.byte - head.length }),
      }),
    });
    async function* chunks(): AsyncGenerator<Uint8Array, void> {
      yield head;
      yield* readUtf8(file, encoding, { start, end });
    }
    await readXml(chunks(), handler, {
      encoding,
      longestBytes: longestFeatureBytes,
      endsAnywhere: true,
      onRead: (bytes) => onProgress?.(Math.min(1, bytes / (end - start + head.length))),
    });
    return handler.features;
  },
};

function warningsOf({ types }: GmlScan): Source['warnings'] {
  return types
    .filter(({ hasFurther }) => hasFurther)
    .map(({ name }) => ({
      code: 'furtherGeometries',
      message: `features of ${name} have several geometries: the first of each is read`,
    }));
}
