import type { Bytes } from '@platen/formats/bytes/bytes';
import { collectBeginning } from '@platen/formats/bytes/read-beginning';
import type { CityJsonScan } from '@platen/formats/cityjson/city-json';
import { estimateObjects } from '@platen/formats/cityjson/estimate-objects';
import { readTail } from '@platen/formats/cityjson/read-tail';
import { scanCityJson, type CityJsonContents } from '@platen/formats/cityjson/scan-city-json';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import type { Finding, InspectionContext } from '../inspector.ts';
import { createFieldSample } from '../sample-fields.ts';
import { describeCityModel, type FileSubject } from './describe-city-model.ts';

/** Larger files are read up to here, and the rest is estimated. */
const sampleBytes = 64 << 20;
/** For reading, and as long again for looking at what was read: on a busy machine, nothing would be looked at otherwise. */
const sampleMs = 3000;
const known = new Set(['1.0', '1.1', '2.0']);

export async function describeCityJson(subject: FileSubject, context: InspectionContext): Promise<Finding> {
  const { issues, signal } = context;
  const isOverSoon = (): (() => boolean) => {
    const until = performance.now() + sampleMs;
    return () => context.isOver() || performance.now() > until;
  };
  const beginning = await collectBeginning(subject.bytes, { maxBytes: sampleBytes, isOver: isOverSoon() });
  signal.throwIfAborted();
  const fields = createFieldSample();
  const scanned = scanCityJson(beginning.content, {
    isOver: isOverSoon(),
    visit: (attributes) => fields.see(attributes),
  });
  signal.throwIfAborted();
  const { scan } = scanned;
  if (beginning.fault !== undefined) issues.add('brokenFile', `${subject.name}: ${beginning.fault}.`);
  const isPartial = scanned.state !== 'whole' || !beginning.isWhole;
  reportFaults(subject, scanned, { context, isWhole: beginning.isWhole });
  if (isPartial && !scan.isSequence) await readTail(subject.bytes, scan);
  const scale = isPartial ? await scaleOf(subject.bytes, scanned, beginning) : 1;
  const extent = extentOf(scan);
  return describeCityModel(subject, {
    context,
    fields,
    format: scan.isSequence ? 'cityjsonseq' : 'cityjson',
    formatTitle: scan.isSequence ? 'CityJSONSeq' : 'CityJSON',
    version: scan.version,
    isPartial,
    scale,
    crsText: scan.referenceSystem,
    // writers put eastings and longitudes first, whatever the authority defines
    isAuthorityOrder: false,
    extent,
    isStatedExtent: scan.geographicalExtent !== undefined,
    featureCount: scan.topLevel,
    contents: scan,
    more: {
      ...(scan.title !== undefined && { title: scan.title }),
      ...(scan.extensions.size > 0 && { extensions: [...scan.extensions] }),
      ...(scan.materials > 0 && { materials: scan.materials }),
      ...(scan.templates > 0 && { templates: scan.templates }),
      ...(scan.transform && { transform: scan.transform }),
    },
  });
}

interface FaultContext {
  readonly context: InspectionContext;
  readonly isWhole: boolean;
}

function reportFaults(
  { name }: FileSubject,
  { scan, state, at }: CityJsonContents,
  { context: { issues }, isWhole }: FaultContext,
): void {
  if (state === 'cutOff' && isWhole)
    issues.add('truncatedFile', `${name} ends in the middle of its JSON: the file is truncated.`);
  if (state === 'broken')
    issues.add('brokenJson', `${name} is not valid JSON at byte ${at}. The rest of the file was not read.`);
  if (scan.version === undefined || !known.has(scan.version)) {
    const problem =
      scan.version === undefined ? 'does not state its version' : `has the version ${scan.version}`;
    issues.add('unknownVersion', `${name} ${problem}. Supported versions are CityJSON 1.0, 1.1 and 2.0.`);
  }
  if (scan.badObjects > 0)
    issues.add('badFeature', `${name} has city objects without a type.`, scan.badObjects);
  if (scan.badIndices > 0) {
    const message = `${name} has geometries that refer to missing vertices. They are skipped.`;
    issues.add('badCoordinates', message, scan.badIndices);
  }
  const needsTransform = scan.version !== undefined && scan.version !== '1.0' && state === 'whole';
  if (needsTransform && scan.transform === undefined)
    issues.add(
      'noTransform',
      `${name} has no "transform", which CityJSON ${scan.version} requires: its position is uncertain.`,
    );
}

async function scaleOf(
  bytes: Bytes,
  { scan, state, at }: CityJsonContents,
  { content, share }: { content: Buffer; share: number },
): Promise<number> {
  if (state === 'broken' || share === 0) return 1;
  const total = content.length / share;
  if (scan.isSequence) return Math.max(1, total / Math.max(1, at));
  return scan.objectBytes === 0 ? 1 : Math.max(1, (await estimateObjects(bytes, total)) / scan.objectBytes);
}

function extentOf({ geographicalExtent: stated, extent }: CityJsonScan): Extent {
  if (stated === undefined) return extent;
  const declared: Extent = {
    min: [stated[0]!, stated[1]!, stated[2]!],
    max: [stated[3]!, stated[4]!, stated[5]!],
  };
  return isEmptyExtent(declared) ? extent : declared;
}
