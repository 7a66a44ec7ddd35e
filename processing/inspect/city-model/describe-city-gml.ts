import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { readBeginning, type Beginning } from '@platen/formats/bytes/read-beginning';
import type { CityModelScan } from '@platen/formats/citygml/city-model';
import { createCityModelHandler } from '@platen/formats/citygml/scan-city-model';
import { utf8Chunks } from '@platen/formats/citygml/utf8-chunks';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import { SourceError } from '@platen/formats/source/source';
import { readXml } from '@platen/formats/xml/read-xml';
import { explainSourceError } from '../../features/explain-source-error.ts';
import type { JobFailure } from '../../job-type.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { createFieldSample } from '../sample-fields.ts';
import { describeCityModel, type FileSubject } from './describe-city-model.ts';

/** Read from the beginning of the file; counts of larger files are estimated. */
const sampleBytes = 64 << 20;
const sampleMs = 3000;
const tailBytes = 1 << 20;
const maxTextBytes = 64 << 20;

export async function describeCityGml(subject: FileSubject, context: InspectionContext): Promise<Finding> {
  const { issues, signal } = context;
  const fields = createFieldSample();
  const { handler, scan } = createCityModelHandler((name, value) => fields.see({ [name]: value }));
  const until = performance.now() + sampleMs;
  const isOver = () => context.isOver() || performance.now() > until;
  const beginning = await readBeginning(subject.bytes, { maxBytes: sampleBytes, isOver });
  const isBroken = await read(beginning, { handler, subject, context });
  signal.throwIfAborted();
  if (scan.badPositions > 0) {
    const message = `${subject.name} has coordinates that are not numbers. Geometries with such coordinates are skipped.`;
    issues.add('badCoordinates', message, scan.badPositions);
  }
  if (!isBroken && (scan.version === undefined || scan.version === '0.4')) {
    const message = `${subject.name} has no namespace of CityGML 1.0, 2.0 or 3.0: it may follow a draft of the standard. Convert it to CityGML 2.0.`;
    issues.add('unknownVersion', message);
  }
  const isPartial = !beginning.isWhole() || isBroken;
  if (!isBroken && !beginning.isWhole() && !beginning.isPacked) await readTail(subject, scan, context);
  return describeCityModel(subject, {
    context,
    fields,
    format: 'citygml',
    formatTitle: 'CityGML',
    version: scan.version,
    isPartial,
    scale: isPartial && beginning.share() > 0 ? 1 / beginning.share() : 1,
    crsText: scan.srsName,
    isAuthorityOrder: isAuthorityOrder(scan.srsName),
    extent: extentOf(scan),
    isStatedExtent: declaredExtent(scan) !== undefined,
    featureCount: scan.members,
    contents: scan,
    more: {
      modules: [...scan.modules].toSorted(),
      ...(scan.extensions.size > 0 && { extensions: [...scan.extensions.keys()] }),
      ...(scan.materials > 0 && { materials: scan.materials }),
    },
  });
}

interface Reading {
  readonly handler: Parameters<typeof readXml>[1];
  readonly subject: Subject;
  readonly context: InspectionContext;
}

/** @returns whether the file is damaged */
async function read(beginning: Beginning, { handler, subject, context }: Reading): Promise<boolean> {
  const { issues, signal } = context;
  try {
    await readXml(utf8Chunks(beginning.chunks), handler, {
      maxBytes: maxTextBytes,
      onRead: () => signal.throwIfAborted(),
      // evaluated at the end, when it is known
      get endsAnywhere() {
        return !beginning.isWhole();
      },
    });
    return false;
  } catch (error) {
    if (error instanceof BytesError) issues.add('brokenFile', `${subject.name}: ${error.message}.`);
    else if (error instanceof SourceError) {
      const { code, message } = explainSourceError(error, subject.name) as JobFailure;
      issues.add(code, message);
    } else throw error;
    return true;
  }
}

/** Appearances are often at the end of the file, and only its end shows whether it is complete. */
async function readTail(
  { bytes, name }: FileSubject,
  scan: CityModelScan,
  { issues }: InspectionContext,
): Promise<void> {
  const tail = await tailOf(bytes);
  if (tail === undefined) return;
  for (const [, uri] of tail.matchAll(/<(?:[\w.-]+:)?imageURI>([^<]{1,500})</g))
    scan.textures.add(uri!.trim());
  const last = tail.slice(-4096).replaceAll('\0', '');
  if (!/<\/(?:[\w.-]+:)?CityModel\s*>/.test(last))
    issues.add('truncatedFile', `${name}: the file ends inside <CityModel>, so a part of it is missing.`);
}

async function tailOf(bytes: Bytes): Promise<string | undefined> {
  try {
    const tail = await bytes.read(Math.max(0, bytes.size - tailBytes), tailBytes);
    return Buffer.from(tail).toString();
  } catch (error) {
    // only the beginning of a compressed archive member can be read
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}

/** As in GML, short names do not imply the axis order of the authority. */
function isAuthorityOrder(srsName: string | undefined): boolean {
  return /^(?:urn:|https?:\/\/www\.opengis\.net\/def\/)/i.test(srsName?.trim() ?? '');
}

function declaredExtent({ envelope: { lower, upper } }: CityModelScan): Extent | undefined {
  if (lower === undefined || upper === undefined) return undefined;
  const extent: Extent = {
    min: [lower[0]!, lower[1]!, lower[2] ?? 0],
    max: [upper[0]!, upper[1]!, upper[2] ?? 0],
  };
  return isEmptyExtent(extent) ? undefined : extent;
}

/** Prefers the extent that the file declares. */
function extentOf(scan: CityModelScan): Extent {
  return declaredExtent(scan) ?? scan.extent;
}
