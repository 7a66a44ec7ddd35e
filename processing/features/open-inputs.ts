import { openSources } from '@platen/formats/open/open-sources';
import type { SourcePart } from '@platen/formats/source/source';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import { explainSourceError } from './explain-source-error.ts';
import { layerNameOf } from './layer-name.ts';
import { resolveCrs } from './resolve-crs.ts';

/** A part of an input. Plain data, as it is sent to other threads. */
export interface InputPart {
  readonly part: SourcePart;
  /** The file's name as users know it. */
  readonly file: string;
  /** The layer's name in the input options or in the file. */
  readonly layer: string | undefined;
  /** A CRS that formats/crs knows. Undefined: longitude and latitude, unless the part itself names another CRS. */
  readonly crs: string | undefined;
  /** Whether the file was split at positions guessed from its bytes. */
  readonly isGuessed: boolean;
}

export interface OpenOptions {
  readonly scratchFolder: string;
  /** Approximate weight of each part. */
  readonly partBytes: number;
  readonly signal: AbortSignal;
  readonly warn: JobContext['warn'];
}

/** Recognises every input and divides it into parts, in order. @throws JobFailure */
export async function openInputs(inputs: readonly JobInput[], options: OpenOptions): Promise<InputPart[]> {
  const parts: InputPart[] = [];
  for (const input of joinCompanions(inputs)) parts.push(...(await openInput(input, options)));
  return parts;
}

async function openInput(input: JobInput, { warn, ...options }: OpenOptions): Promise<InputPart[]> {
  const { path, name, size, encoding } = input;
  if (size === 0) throw new JobFailure('emptyInput', `${name}: the file is empty.`);
  const file = {
    path,
    name,
    size,
    related: input.related ?? {},
    ...(encoding !== undefined && { encoding }),
  };
  const sources = await openSources(file, options).catch((error: unknown) => {
    options.signal.throwIfAborted();
    throw explainSourceError(error, name);
  });
  const layers = sources.flatMap((source) => source.layers.map((layer) => ({ source, layer })));
  const nameOf = ({ source, layer }: (typeof layers)[number]): string =>
    layer.name ?? layerNameOf(source.file.name);
  const chosen = layers.filter((one) => nameOf(one) === input.layer);
  const isChoice = layers.length > 1 && input.layer !== undefined;
  if (isChoice && chosen.length === 0) throw noSuchLayer(input, layers.map(nameOf));
  for (const { warnings, file: sourceFile } of sources) {
    for (const { code, message } of warnings) {
      if (code === 'missingCrs' && input.crs !== undefined) continue;
      warn(code, `${sourceFile.name}: ${message}`, { file: sourceFile.name });
    }
  }
  return (isChoice ? chosen : layers).flatMap(({ source, layer }) => {
    const crs = checkCrs(input.crs ?? layer.crs, source.file.name, warn);
    return layer.parts.map((part) => ({
      part,
      file: source.file.name,
      layer: input.layer ?? layer.name,
      crs,
      isGuessed: source.format === 'geojson' && layer.parts.length > 1,
    }));
  });
}

function noSuchLayer({ name, layer }: JobInput, layers: readonly string[]): JobFailure {
  const names = layers.map((one) => `"${one}"`).join(', ');
  return new JobFailure('noSuchLayer', `${name} has no layer "${layer}". Its layers are ${names}.`);
}

function checkCrs(crs: string | undefined, file: string, warn: JobContext['warn']): string | undefined {
  if (crs === undefined) return undefined;
  const { code: known, notes } = resolveCrs(crs, file);
  for (const { code, message } of notes) warn(code, `${file}: ${message}`, { file, crs: crs.slice(0, 200) });
  return known ?? crs;
}

/** Inputs that are companions of a .shp among the inputs are attached to it, as though uploaded in one file. */
export function joinCompanions(inputs: readonly JobInput[]): JobInput[] {
  const shapes = new Set(inputs.filter(({ name }) => /\.shp$/i.test(name)).map(({ name }) => baseOf(name)));
  const isCompanion = ({ name }: JobInput): boolean =>
    /\.(?:dbf|shx|prj|cpg)$/i.test(name) && shapes.has(baseOf(name));
  return inputs
    .filter((input) => !isCompanion(input))
    .map((input) => (/\.shp$/i.test(input.name) ? withCompanions(input, inputs.filter(isCompanion)) : input));
}

function withCompanions(shape: JobInput, companions: readonly JobInput[]): JobInput {
  const own = companions.filter(({ name }) => baseOf(name) === baseOf(shape.name));
  const related = Object.fromEntries(own.map(({ name, path }) => [name.slice(-3).toLowerCase(), path]));
  const contents = [shape, ...own].map(({ content }) => content);
  const isKnown = contents.every((content) => content !== undefined);
  return {
    ...shape,
    related: { ...related, ...shape.related },
    ...(isKnown && { content: contents.join(' ') }),
  };
}

function baseOf(name: string): string {
  return name.toLowerCase().replace(/\.[^.]*$/, '');
}
