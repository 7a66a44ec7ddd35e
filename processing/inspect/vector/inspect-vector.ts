import type { InspectionReport } from '@platen/contract/inspect';
import { BytesError } from '@platen/formats/bytes/bytes';
import { sourceFormats } from '@platen/formats/source/formats';
import { SourceError, type Source } from '@platen/formats/source/source';
import type { UploadedFile } from '@platen/formats/source/unpack-upload';
import { explainSourceError } from '../../features/explain-source-error.ts';
import type { JobFailure } from '../../job-type.ts';
import { tilesVector } from '../../tiles-vector/spec.ts';
import { createFeatureSketch, type FeatureSketch } from '../../tile-style/feature-sketch.ts';
import type { Finding, Inspecting, Inspector, OnDisk, Subject } from '../inspector.ts';
import { describeContents } from './describe-contents.ts';
import { describeLayer } from './describe-layer.ts';
import { drawSketch } from './draw-sketch.ts';
import { formatOf, openBeginning, type Opened } from './open-beginning.ts';
import { sampleLayer } from './sample-layer.ts';
import { suggestTask, type SeenLayer } from './suggest-task.ts';
import { usesOf } from './uses-of.ts';
import { versionOf } from './version-of.ts';

/** Of unpacking and opening; and of reading samples. */
const openingMs = 30_000;
const samplingMs = 2000;
const mostLayers = 100;

const companions = ['dbf', 'shx', 'prj', 'cpg'];

/** Knows all that features can be read from; of whatever else, too, it says why not. */
export const inspectVector: Inspector = async (subject, inspecting) => {
  const { issues } = inspecting;
  const lying = await subject.onDisk();
  if (!lying) {
    const message = `${subject.name} has more files than an inspection looks at, or larger ones: inspect one of them.`;
    issues.add('folderTooLarge', message);
    return { layers: [], uses: [] };
  }
  const file = await uploadOf(subject, lying);
  try {
    return await examine(file, { ...inspecting, subject, bytes: lying.bytes });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code, message } = explainSourceError(error, file.name) as JobFailure;
    issues.add(code, message);
    // damaged, but known
    const isKnown = error.code !== 'notRecognised' && subject.bytes !== undefined;
    const format = isKnown ? await formatOf(file) : undefined;
    return { ...(await named(format === undefined ? [] : [format])), layers: [], uses: [] };
  }
};

async function uploadOf(subject: Subject, { path }: OnDisk): Promise<UploadedFile> {
  const { name, size } = subject;
  const related: Record<string, string> = {};
  if (/\.shp$/i.test(name)) {
    for (const ending of companions) {
      const beside = (await onDiskOf(subject, ending)) ?? (await onDiskOf(subject, ending.toUpperCase()));
      if (beside) related[ending] = beside.path;
    }
  }
  return { path, name, size, related };
}

const onDiskOf = (subject: Subject, ending: string) => subject.onDisk(subject.name.slice(0, -3) + ending);

interface Examining extends Inspecting {
  readonly subject: Subject;
  /** How many of its bytes lie on this disk. */
  readonly bytes: number;
}

async function examine(file: UploadedFile, examining: Examining): Promise<Finding> {
  const { issues, subject } = examining;
  const isFolder = !subject.bytes;
  const opened = await open(file, examining);
  if (!opened) return tooLarge(file, examining);
  const { sources, scale } = opened;
  for (const { warnings, file: of } of sources)
    for (const { code, message } of warnings) issues.add(code, `${of.name}: ${message}.`);
  const sketch = createFeatureSketch();
  const seen = await lookAt(opened, { ...examining, sketch });
  const suggestion = suggestTask(seen, scale);
  const thumbnail = drawSketch(sketch, seen);
  const [first] = sources;
  const version = first && (await versionOf(first));
  return {
    ...(await named(sources.map(({ format }) => format))),
    ...(version !== undefined && { formatVersion: version }),
    layers: seen.map(({ layer }) => layer),
    ...(suggestion && { suggestion }),
    uses: usesOf(seen, {
      isSingleFile: !isFolder && first?.file.path === file.path,
      size: file.size,
      suggestion,
    }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

/** Of a database at least its table of contents can be had. */
async function tooLarge(file: UploadedFile, { issues, subject }: Examining): Promise<Finding> {
  const format = await formatOf(file);
  const rest = 'make a task of it';
  const message = `${file.name} is too large to be fetched for an inspection, so its features were not looked at: ${rest}.`;
  issues.add('notLookedInto', message);
  const names = await named(format === undefined ? [] : [format]);
  if (format !== 'geopackage') return { ...names, layers: [], uses: [] };
  try {
    const layers = await describeContents(subject.bytes!);
    const isPlaced = layers.length > 0 && layers.every(({ crs }) => crs !== undefined);
    return { ...names, layers, uses: isPlaced ? [tilesOfContents] : [] };
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${file.name}: ${error.message}.`);
    return { ...names, layers: [], uses: [] };
  }
}

const tilesOfContents = {
  kind: 'job',
  type: `platen${tilesVector.name}`,
  confidence: 0.9,
  reason: 'Vector tiles, for maps of any size',
} as const;

async function open(
  file: UploadedFile,
  { signal, scratchFolder, bytes, subject }: Examining,
): Promise<Opened | undefined> {
  const late = AbortSignal.timeout(openingMs);
  try {
    const either = AbortSignal.any([signal, late]);
    return await openBeginning(file, { scratchFolder, signal: either, bytes, isFolder: !subject.bytes });
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    const message =
      'it takes longer to open than an inspection may: a task can read it, but what is in it cannot be told before';
    throw new SourceError('unsupported', message);
  }
}

/** Each layer gets its share of the time that is left. */
async function lookAt(
  { sources, scale }: Opened,
  { issues, signal, sketch, samples }: Inspecting & { readonly sketch: FeatureSketch },
): Promise<SeenLayer[]> {
  const layers = sources.flatMap((source: Source) => source.layers.map((layer) => ({ source, layer })));
  if (layers.length > mostLayers)
    issues.add('manyLayers', `It has ${layers.length} layers: the first ${mostLayers} are told of here.`);
  const looked = layers.slice(0, mostLayers);
  const end = performance.now() + samplingMs;
  const seen: SeenLayer[] = [];
  for (const [i, { source, layer }] of looked.entries()) {
    const now = performance.now();
    const until = now + Math.max(0, end - now) / (looked.length - i);
    const isOver = () => performance.now() > until;
    const sampler = samples?.start();
    const options = { isOver, signal, issues, sketch, sampler };
    const sample = await sampleLayer(layer, { ...options, isCutOff: scale > 1 });
    const described = describeLayer(sample, { source, layer, scale, issues });
    if (sampler) samples?.keep(described.layer.name, sampler, sample.isWhole);
    seen.push({ source, sample, ...described });
  }
  return seen;
}

async function named(
  formats: readonly string[],
): Promise<Pick<InspectionReport, 'format' | 'formatTitle' | 'kind'>> {
  const [format, ...others] = new Set(formats);
  if (format === undefined) return {};
  const titles = await Promise.all(
    [format, ...others].map(async (name) => (await sourceFormats[name]!()).title),
  );
  return { format, formatTitle: titles.join(', '), kind: 'vector' };
}
