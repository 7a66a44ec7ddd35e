import type { InspectionReport } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { sourceFormats } from '@platen/formats/open/formats';
import { SourceError, type Source } from '@platen/formats/source/source';
import type { UploadedFile } from '@platen/formats/open/unpack-upload';
import { explainSourceError } from '../../features/explain-source-error.ts';
import type { JobFailure } from '../../job-type.ts';
import { createFeatureSketch, type FeatureSketch } from '../../tile-style/feature-sketch.ts';
import type { Finding, InspectionContext, Inspector, LocalFile, Subject } from '../inspector.ts';
import { describeContents } from './describe-contents.ts';
import { describeLayer } from './describe-layer.ts';
import { directUse } from './direct-use.ts';
import { drawSketch } from './draw-sketch.ts';
import { formatOf, openForSampling, type OpenedSources } from './open-for-sampling.ts';
import { sampleLayer } from './sample-layer.ts';
import { vectorFacts, type SampledLayer } from './vector-facts.ts';
import { versionOf } from './version-of.ts';

/** Time limits for decompressing and opening, and for reading samples. */
const openingMs = 30_000;
const samplingMs = 2000;
const maxLayers = 100;

const companions = ['dbf', 'shx', 'prj', 'cpg'];

/** Inspects every vector format that can be read; for any other file it explains why it cannot be used. */
export const inspectVector: Inspector = async (subject, context) => {
  const { issues } = context;
  const local = await subject.localFile();
  if (!local) {
    const message = `${subject.name} has too many or too large files for an inspection. Inspect one of them.`;
    issues.add('folderTooLarge', message);
    return { layers: [], uses: [] };
  }
  const file = await uploadOf(subject, local);
  try {
    return await inspectFile(file, { ...context, subject, bytes: local.bytes });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code, message } = explainSourceError(error, file.name) as JobFailure;
    issues.add(code, message);
    // The format is known although the file is damaged.
    const isKnown = error.code !== 'notRecognised' && subject.bytes !== undefined;
    const format = isKnown ? await formatOf(file) : undefined;
    return { ...(await describeFormats(format === undefined ? [] : [format])), layers: [], uses: [] };
  }
};

async function uploadOf(subject: Subject, { path }: LocalFile): Promise<UploadedFile> {
  const { name, size } = subject;
  const related: Record<string, string> = {};
  if (/\.shp$/i.test(name)) {
    for (const ending of companions) {
      const sidecar = (await sidecarOf(subject, ending)) ?? (await sidecarOf(subject, ending.toUpperCase()));
      if (sidecar) related[ending] = sidecar.path;
    }
  }
  return { path, name, size, related };
}

const sidecarOf = (subject: Subject, ending: string) => subject.localFile(subject.name.slice(0, -3) + ending);

interface FileContext extends InspectionContext {
  readonly subject: Subject;
  /** Number of bytes available locally. */
  readonly bytes: number;
}

async function inspectFile(file: UploadedFile, context: FileContext): Promise<Finding> {
  const { issues, subject } = context;
  const isFolder = !subject.bytes;
  const opened = await open(file, context);
  if (!opened) return describeTooLarge(file, context);
  const { sources, scale } = opened;
  for (const { warnings, file: sourceFile } of sources)
    for (const { code, message } of warnings) issues.add(code, `${sourceFile.name}: ${message}.`);
  const sketch = createFeatureSketch();
  const layers = await sampleLayers(opened, { ...context, sketch });
  const vector = vectorFacts(layers, scale);
  const thumbnail = drawSketch(sketch, layers);
  const [first] = sources;
  const version = first && (await versionOf(first));
  const isSingleFile = !isFolder && first?.file.path === file.path;
  const use = directUse(layers, { isSingleFile, size: file.size });
  return {
    ...(await describeFormats(sources.map(({ format }) => format))),
    ...(version !== undefined && { formatVersion: version }),
    layers: layers.map(({ layer }) => layer),
    ...(vector && { vector }),
    uses: use ? [use] : [],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

/** For a GeoPackage, the table of contents is available without a local copy. */
async function describeTooLarge(file: UploadedFile, { issues, subject }: FileContext): Promise<Finding> {
  const format = await formatOf(file);
  const message = `${file.name} is too large for an inspection, so its features were not read. Create a task for it.`;
  issues.add('notLookedInto', message);
  const names = await describeFormats(format === undefined ? [] : [format]);
  if (format !== 'geopackage') return { ...names, layers: [], uses: [] };
  try {
    const layers = await describeContents(subject.bytes!);
    const isPlaced = layers.length > 0 && layers.every(({ crs }) => crs !== undefined);
    return { ...names, layers, ...(isPlaced && { vector: {} }), uses: [] };
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${file.name}: ${error.message}.`);
    return { ...names, layers: [], uses: [] };
  }
}

async function open(
  file: UploadedFile,
  { signal, scratchFolder, bytes, subject, memoryBytes }: FileContext,
): Promise<OpenedSources | undefined> {
  const timeout = AbortSignal.timeout(openingMs);
  try {
    const either = AbortSignal.any([signal, timeout]);
    const options = { scratchFolder, signal: either, bytes, isFolder: !subject.bytes, memoryBytes };
    return await openForSampling(file, options);
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    const message =
      'it takes too long to open for an inspection. A task can read it, but its contents cannot be shown before';
    throw new SourceError('unsupported', message);
  }
}

/** Samples each layer for its share of the remaining time. */
async function sampleLayers(
  { sources, scale }: OpenedSources,
  { issues, signal, sketch, samples, memoryBytes }: InspectionContext & { readonly sketch: FeatureSketch },
): Promise<SampledLayer[]> {
  const layers = sources.flatMap((source: Source) => source.layers.map((layer) => ({ source, layer })));
  if (layers.length > maxLayers)
    issues.add('manyLayers', `It has ${layers.length} layers. This report covers the first ${maxLayers}.`);
  const chosen = layers.slice(0, maxLayers);
  const end = performance.now() + samplingMs;
  const sampledLayers: SampledLayer[] = [];
  for (const [i, { source, layer }] of chosen.entries()) {
    const now = performance.now();
    const until = now + Math.max(0, end - now) / (chosen.length - i);
    const isOver = () => performance.now() > until;
    const sampler = samples?.start();
    const options = { isOver, signal, issues, sketch, sampler, memoryBytes };
    const sample = await sampleLayer(layer, { ...options, isCutOff: scale > 1 });
    const described = describeLayer(sample, { source, layer, scale, issues });
    if (sampler) samples?.keep(described.layer.name, sampler, sample.isWhole);
    sampledLayers.push({ source, sample, ...described });
  }
  return sampledLayers;
}

async function describeFormats(
  formats: readonly string[],
): Promise<Pick<InspectionReport, 'format' | 'formatTitle' | 'kind'>> {
  const [format, ...others] = new Set(formats);
  if (format === undefined) return {};
  const titles = await Promise.all(
    [format, ...others].map(async (name) => (await sourceFormats[name]!()).title),
  );
  return { format, formatTitle: titles.join(', '), kind: 'vector' };
}
