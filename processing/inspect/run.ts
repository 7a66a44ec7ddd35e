import type { InspectionReport } from '@platen/contract/inspect';
import { sourceFormats } from '@platen/formats/source/formats';
import { SourceError, type Source } from '@platen/formats/source/source';
import type { UploadedFile } from '@platen/formats/source/unpack-upload';
import { explainSourceError } from '../features/explain-source-error.ts';
import type { JobContext, JobFailure, JobInput, RunJob } from '../job-type.ts';
import { describeLayer } from './describe-layer.ts';
import { fitReport } from './fit-report.ts';
import { createIssues, type Issues } from './issues.ts';
import { formatOf, openBeginning, type Opened } from './open-beginning.ts';
import { sampleLayer } from './sample-layer.ts';
import type { inspect } from './spec.ts';
import { suggestTask, type SeenLayer } from './suggest-task.ts';

/** Of unpacking and opening; and of reading samples. */
const openingMs = 30_000;
const samplingMs = 2000;
const mostLayers = 100;

/** The first input is the file; others are the companions of a .shp. That it cannot be read is a finding. */
export const runInspect: RunJob<typeof inspect> = async (_options, context) => {
  const file = fileOf(context.inputs);
  const issues = createIssues();
  const report = await examine(file, context, issues).catch(async (error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    const { code, message } = explainSourceError(error, file.name) as JobFailure;
    issues.add(code, message);
    // damaged, but known
    const format = error.code === 'notRecognised' ? undefined : await formatOf(file);
    return { ...(await named(format === undefined ? [] : [format])), layers: [], issues: issues.list() };
  });
  return { report: fitReport(report) };
};

function fileOf([main, ...companions]: readonly JobInput[]): UploadedFile {
  const related = Object.fromEntries(
    companions.map(({ name, path }) => [name.slice(-3).toLowerCase(), path]),
  );
  return { ...main!, related };
}

async function examine(file: UploadedFile, context: JobContext, issues: Issues): Promise<InspectionReport> {
  const { sources, scale } = await open(file, context);
  for (const { warnings, file: of } of sources)
    for (const { code, message } of warnings) issues.add(code, `${of.name}: ${message}.`);
  const seen = await lookAt(sources, { scale, issues, signal: context.signal });
  const suggestion = suggestTask(seen, scale);
  return {
    ...(await named(sources.map(({ format }) => format))),
    layers: seen.map(({ layer }) => layer),
    issues: issues.list(),
    ...(suggestion && { suggestion }),
  };
}

async function open(file: UploadedFile, { signal, scratchFolder }: JobContext): Promise<Opened> {
  const late = AbortSignal.timeout(openingMs);
  try {
    return await openBeginning(file, { scratchFolder, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    const message =
      'it takes longer to open than an inspection may: a task can read it, but what is in it cannot be told before';
    throw new SourceError('unsupported', message);
  }
}

interface Looking {
  readonly scale: number;
  readonly issues: Issues;
  readonly signal: AbortSignal;
}

/** Each layer gets its share of the time that is left. */
async function lookAt(sources: readonly Source[], { scale, issues, signal }: Looking): Promise<SeenLayer[]> {
  const layers = sources.flatMap((source) => source.layers.map((layer) => ({ source, layer })));
  if (layers.length > mostLayers)
    issues.add('manyLayers', `It has ${layers.length} layers: the first ${mostLayers} are told of here.`);
  const looked = layers.slice(0, mostLayers);
  const end = performance.now() + samplingMs;
  const seen: SeenLayer[] = [];
  for (const [i, { source, layer }] of looked.entries()) {
    const now = performance.now();
    const until = now + Math.max(0, end - now) / (looked.length - i);
    const isOver = () => performance.now() > until;
    const sample = await sampleLayer(layer, { isOver, signal, issues, isCutOff: scale > 1 });
    seen.push({ source, sample, ...describeLayer(sample, { source, layer, scale, issues }) });
  }
  return seen;
}

async function named(formats: readonly string[]): Promise<Pick<InspectionReport, 'format' | 'formatTitle'>> {
  const [format, ...others] = new Set(formats);
  if (format === undefined) return {};
  const titles = await Promise.all(
    [format, ...others].map(async (name) => (await sourceFormats[name]!()).title),
  );
  return { format, formatTitle: titles.join(', ') };
}
