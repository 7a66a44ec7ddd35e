import type { Source, SourceFormat, SourceLayer } from '../source/source.ts';
import { readXml } from '../xml/read-xml.ts';
import { createGmlHandler } from './gml-handler.ts';
import { bytesOfRuns, placeInRuns, readRuns } from './read-runs.ts';
import { scanGml, type GmlScan, type RunRange } from './scan-gml.ts';

interface GmlRange extends RunRange {
  readonly srsName: string | undefined;
  readonly encoding: string;
  readonly rootIsFeature: boolean;
}

const maxTextBytes = 256 << 20;

/**
 * Geography Markup Language 2 and 3, and WFS responses: one layer per feature type. Opening scans the whole file,
 * because the types are not listed anywhere; the parts of a layer then cover only its own features.
 */
export const gmlFormat: SourceFormat = {
  name: 'gml',
  title: 'GML',
  async open(file, { signal, partBytes }) {
    const scan = await scanGml(file, { signal, partBytes, maxBytes: maxTextBytes });
    const { encoding, rootIsFeature } = scan;
    const layers = scan.types.map((type): SourceLayer => {
      const { name, srsName, features, ranges } = type;
      return {
        name,
        crs: srsName,
        featureCount: features,
        fields: undefined,
        bbox: undefined,
        parts: ranges.map((runRange) => {
          const range: GmlRange = { ...runRange, srsName, encoding, rootIsFeature };
          return { format: 'gml', file, weight: bytesOfRuns(runRange.runs), range };
        }),
      };
    });
    return { format: 'gml', file, layers, warnings: warningsOf(scan) };
  },
  async read({ file, range }, visit, { maxFeatureBytes, onProgress, keepsHeights }) {
    const runRange = range as GmlRange;
    const { runs, encoding } = runRange;
    const head = Buffer.from(runRange.openTags);
    const handler = createGmlHandler(visit, {
      ...runRange,
      keepsHeights,
      place: ({ line, byte }) => ({
        // line numbers behind a gap between runs are unknown
        ...(runs.length === 2 && { line: runRange.line + line - 1 }),
        ...(byte !== undefined && { byte: placeInRuns(runs, byte - head.length) }),
      }),
    });
    async function* chunks(): AsyncGenerator<Uint8Array, void> {
      yield head;
      yield* readRuns(file, encoding, runs);
    }
    const bytesOfAll = head.length + bytesOfRuns(runs);
    await readXml(chunks(), handler, {
      encoding,
      maxBytes: maxFeatureBytes,
      endsAnywhere: true,
      onRead: (bytes) => onProgress?.(Math.min(1, bytes / bytesOfAll)),
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
