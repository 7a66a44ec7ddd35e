import { SourceError, type SourceFile } from '../source/source.ts';
import { encodingOf, readUtf8 } from '../xml/read-utf8.ts';
import { readXml, type XmlHandler, type XmlReader } from '../xml/read-xml.ts';
import { createFeatureTracker } from './feature-tracker.ts';
import type { GmlContext } from './gml-geometry.ts';
import { gmlRole, isGmlNamespace } from './gml-names.ts';

/** Features of a type that are close together in the file, perhaps with others between them. */
export interface RunRange {
  /** Start and end of each run of adjacent features, in turn, as byte offsets in the UTF-8 text. */
  readonly runs: number[];
  /** Line of the first feature. */
  readonly line: number;
  /** Number of earlier features of the type. */
  readonly featuresBefore: number;
  /** The tags that are open where it begins. */
  readonly openTags: string;
  /** The context from the envelope of the collection. */
  readonly context: GmlContext;
}

export interface GmlType {
  /** Without its prefix. */
  readonly name: string;
  features: number;
  /** The first that is named in one of its features, or of the collection. */
  srsName: string | undefined;
  /** Whether a feature has more than one geometry. */
  hasFurther: boolean;
  readonly ranges: RunRange[];
}

export interface GmlScan {
  readonly types: readonly GmlType[];
  readonly encoding: string;
  readonly rootIsFeature: boolean;
}

const maxTypes = 500;
/** Features of each type that are examined for their CRS and number of geometries; more while no CRS is known. */
const featuresLookedInto = 100;

export interface ScanOptions {
  readonly partBytes: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Scans all tags of a file, which is the only way to find its types and where it can be divided. */
export async function scanGml(file: SourceFile, options: ScanOptions): Promise<GmlScan> {
  const encoding = await encodingOf(file);
  for (const rootIsFeature of [false, true]) {
    // only UTF-8 can be read from the middle of a file
    const partBytes = encoding === 'utf-8' ? options.partBytes : Infinity;
    const scan = createScan(rootIsFeature, partBytes);
    const { maxBytes, signal } = options;
    await readXml(readUtf8(file, encoding), scan.handler, {
      encoding,
      maxBytes,
      onRead: () => signal.throwIfAborted(),
    });
    if (scan.types.size > 0 || scan.isCollection())
      return { types: [...scan.types.values()], encoding, rootIsFeature };
  }
  throw new SourceError(
    'unsupported',
    'the file contains no features: neither a collection with members nor a geometry',
  );
}

function createScan(
  rootIsFeature: boolean,
  partBytes: number,
): { handler: XmlHandler; types: Map<string, GmlType>; isCollection: () => boolean } {
  const types = new Map<string, GmlType>();
  const tracker = createFeatureTracker(rootIsFeature);
  let isCollection = false;
  let type: GmlType | undefined;
  let previous: GmlType | undefined;
  let previousDepth = 0;
  let geometries = 0;
  let geometryDepth = 0;
  let boundedByDepth = 0;

  const typeOf = (name: string): GmlType => {
    let found = types.get(name);
    if (found === undefined) {
      if (types.size === maxTypes)
        throw new SourceError('unsupported', `the file has more than ${maxTypes} types of features`);
      found = { name, features: 0, srsName: undefined, hasFurther: false, ranges: [] };
      types.set(name, found);
    }
    return found;
  };
  /** Extends the last range of a type, or begins another. */
  const extendRange = (own: GmlType, xml: XmlReader): void => {
    const start = xml.tagStart();
    const follows = own === previous && xml.depth === previousDepth;
    previous = own;
    previousDepth = xml.depth;
    const last = own.ranges.at(-1);
    const isNear = last !== undefined && start - last.runs[0]! < partBytes;
    if (isNear && follows) return;
    const openTags = xml.openTags(1);
    // A run is read as if it followed the one before: the same elements have to be open.
    if (isNear && openTags === last.openTags) last.runs.push(start, start);
    else {
      const { line } = xml.tagPlace();
      const { context } = tracker;
      own.ranges.push({ runs: [start, start], line, featuresBefore: own.features, openTags, context });
    }
  };
  const handler: XmlHandler = {
    start(xml) {
      if (tracker.start(xml)) {
        xml.hold();
        type = typeOf(xml.name.local);
        geometries = 0;
        extendRange(type, xml);
        if (type.features >= featuresLookedInto && type.srsName !== undefined) xml.skip();
        return;
      }
      const { local } = xml.name;
      if (tracker.depth === 0) {
        if (xml.depth !== 1) return;
        isCollection = local.endsWith('FeatureCollection');
        if (local.endsWith('ExceptionReport')) {
          const message =
            'the file is the error report of a service, not data: read its text, and download the data again';
          throw new SourceError('unsupported', message, xml.tagPlace());
        }
        return;
      }
      type!.srsName ??= xml.attribute('srsName');
      if (boundedByDepth > 0 || geometryDepth > 0) return;
      if (local === 'boundedBy') boundedByDepth = xml.depth;
      else if (gmlRole(local) !== undefined && isGmlNamespace(xml.namespace())) {
        geometryDepth = xml.depth;
        geometries++;
      }
    },
    text() {},
    end(xml) {
      if (xml.depth === geometryDepth) geometryDepth = 0;
      if (xml.depth === boundedByDepth) boundedByDepth = 0;
      if (!tracker.end(xml)) return;
      xml.release();
      type!.srsName ??= tracker.context.srsName;
      if (geometries > 1) type!.hasFurther = true;
      if (rootIsFeature && geometries === 0) {
        types.clear();
        return;
      }
      type!.features++;
      const { runs } = type!.ranges.at(-1)!;
      runs[runs.length - 1] = xml.tagEnd();
    },
  };
  return { handler, types, isCollection: () => isCollection };
}
