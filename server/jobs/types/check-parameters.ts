import type { ProblemDetail } from '@platen/contract/error';
import type { JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import { findTaskSpec, taskSpecs } from '@platen/processing/catalog';
import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import { Type, type TSchema } from 'typebox';
import { Failure, invalidAt } from '../../base/failure.ts';
import { checkBody, type Check } from '../../base/validation.ts';
import { ownParameters } from './client-parameters.ts';
import { inputSchemas, maxInputs, parametersSchema } from './parameters-schema.ts';
import { describeUnknown, findUnknown } from './unknown-keys.ts';

interface SourceDetails {
  readonly layer?: string;
  readonly crs?: string;
  readonly encoding?: string;
}

/** A source of a task, and its JSON pointer in the request body. */
export type InputSource = SourceDetails & { readonly pointer: string } & (
    | { readonly type: 'internal'; readonly dataBucketId: string; readonly dataBucketKey: string }
    | { readonly type: 'datasource'; readonly datasourceId: string }
    | { readonly type: 'external'; readonly url: string }
  );

export type DatasourceCommand =
  | { readonly command: 'create'; readonly name: string }
  | ({ readonly command: 'update' | 'overwrite' } & DatasourceTarget);

/** An existing datasource of the project, by its ID or, if no other has it, its name. */
export type DatasourceTarget =
  | { readonly datasourceId: string; readonly name?: never }
  | { readonly name: string; readonly datasourceId?: never };

/** The parsed parameters of a task. */
export interface JobParameters {
  readonly spec: TaskSpec;
  readonly inputs: readonly InputSource[];
  /** Undefined: the job makes only files. */
  readonly datasource: DatasourceCommand | undefined;
  readonly output: {
    readonly dataBucketId?: string;
    readonly prefix?: string;
    /** Whether existing files may be replaced. */
    readonly overwrite: boolean;
  };
  /** Whether an update may keep the data of an earlier run with the same options and inputs. */
  readonly update: 'auto' | 'full';
  /** Options of the job type, including defaults. */
  readonly options: FreeForm;
  /** Unknown keys. They are not errors, so that tasks written for other servers still run. */
  readonly warnings: JobWarning[];
}

/** @throws Failure `unprocessable` for an unknown job type; the message lists the known ones */
export function requireJobSpec(jobType: string): TaskSpec {
  const spec = findTaskSpec(jobType);
  if (spec) return spec;
  const known = taskSpecs().map(({ name }) => `platen${name}`);
  const detail = `The job type “${jobType}” does not exist. Known: ${known.join(', ')}.`;
  throw new Failure('unprocessable', `/jobType: ${detail}`, {
    errors: [{ pointer: '/jobType', code: 'unknown', detail }],
  });
}

/** @throws Failure `unprocessable` unless it is empty, or the version of the type that is installed */
export function requireJobVersion(jobType: string, jobVersion: string): void {
  const { version } = requireJobSpec(jobType);
  if (jobVersion === '' || jobVersion === String(version)) return;
  const detail = `Version “${jobVersion}” of ${jobType} is not installed. Use “${version}”, or “” for whichever is installed.`;
  throw new Failure('unprocessable', `/jobVersion: ${detail}`, {
    errors: [{ pointer: '/jobVersion', code: 'unknown', detail }],
  });
}

/** @throws Failure `invalid` with a pointer into the request body */
export function checkParameters(jobType: string, given: FreeForm): JobParameters {
  const spec = requireJobSpec(jobType);
  const parameters = spec.otherName === jobType ? ownParameters(given) : given;
  const schema = schemaOf(spec);
  const filled = structuredClone(parameters);
  checkAt('/parameters', schema.check, filled);
  const { datasource, options } = filled as { datasource?: FreeForm; options: FreeForm };
  const { input, ...ofType } = options;
  const update = takeUpdate(ofType, parameters);
  const inputs = spec.reads === 'nothing' ? [] : sourcesOf(input);
  const {
    dataBucketId,
    prefix,
    overwrite = true,
  } = (options['output'] ?? {}) as Partial<JobParameters['output']>;
  return {
    spec,
    inputs,
    datasource: datasourceTypesOf(spec).length > 0 ? commandOf(datasource!) : undefined,
    output: {
      ...(dataBucketId !== undefined && { dataBucketId }),
      ...(prefix !== undefined && { prefix }),
      overwrite,
    },
    update,
    options: ofType,
    warnings: findUnknown(schema.published, parameters),
  };
}

/** Warnings about unknown keys of a task; none if its job type is no longer installed. */
export function warningsOf(jobType: string, parameters: FreeForm): ProblemDetail[] {
  const spec = findTaskSpec(jobType);
  if (spec === undefined) return [];
  const own = spec.otherName === jobType ? ownParameters(parameters) : parameters;
  return describeUnknown(schemaOf(spec).published, own);
}

/**
 * Removes the option from those of the job type, which it does not concern. They are then those of a task without it:
 * otherwise a full update would be followed by another one.
 */
function takeUpdate(options: FreeForm, parameters: FreeForm): JobParameters['update'] {
  type Processing = { update?: JobParameters['update'] } | undefined;
  const processing = options['processing'] as Processing;
  const update = processing?.update ?? 'auto';
  const given = (parameters['options'] as { processing?: Processing }).processing ?? {};
  if (Object.keys(given).every((name) => name === 'update')) delete options['processing'];
  else delete processing?.update;
  return update;
}

const schemas = new Map<string, { check: Check; published: TSchema }>();

function schemaOf(spec: TaskSpec): { check: Check; published: TSchema } {
  const known = schemas.get(spec.name);
  if (known) return known;
  // inputs are checked by the schema of their own type, which gives better messages than a union
  const check = checkBody(parametersSchema(spec, Type.Unknown()));
  const made = { check, published: parametersSchema(spec) };
  schemas.set(spec.name, made);
  return made;
}

const checkInput = {
  internal: checkBody(inputSchemas.internal),
  datasource: checkBody(inputSchemas.datasource),
  external: checkBody(inputSchemas.external),
};

/** The sources of `options.input`. @throws Failure `invalid` */
export function sourcesOf(input: unknown): InputSource[] {
  const base = '/parameters/options/input';
  if (!Array.isArray(input)) return [sourceOf(input, base)];
  if (input.length === 0) throw invalidAt(base, 'At least one source is required.');
  if (input.length > maxInputs) throw invalidAt(base, `At most ${maxInputs} sources are allowed.`);
  return input.map((source: unknown, index) => sourceOf(source, `${base}/${index}`));
}

function sourceOf(source: unknown, pointer: string): InputSource {
  if (source === null || typeof source !== 'object' || Array.isArray(source)) {
    throw invalidAt(
      pointer,
      'A source is an object such as {"type": "internal", "dataBucketId": …, "dataBucketKey": …}.',
    );
  }
  const { type } = source as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(checkInput, type)) {
    throw invalidAt(`${pointer}/type`, 'Must be one of internal, datasource, external.', 'enum');
  }
  checkAt(pointer, checkInput[type as keyof typeof checkInput], source);
  return { ...(source as InputSource), pointer };
}

function commandOf(datasource: FreeForm): DatasourceCommand {
  const { command, name, datasourceId } = datasource as Record<string, string | undefined>;
  const missing = (field: string) =>
    invalidAt(`/parameters/datasource/${field}`, 'This field is required.', 'required');
  if (command === 'create') {
    if (name === undefined) throw missing('name');
    return { command, name };
  }
  const ofChange = { command: command as 'update' | 'overwrite' };
  if (datasourceId !== undefined) return { ...ofChange, datasourceId };
  if (name === undefined) throw missing('datasourceId');
  return { ...ofChange, name };
}

/** Checks a part and makes its pointers relative to the request body. */
function checkAt(pointer: string, check: Check, value: unknown): void {
  try {
    check(value);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const errors = error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer }));
    const [first] = errors;
    throw new Failure(error.code, first ? `${first.pointer}: ${first.detail}` : error.message, {
      errors,
      cause: error,
    });
  }
}
