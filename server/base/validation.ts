import type { ProblemDetail } from '@platen/contract/error';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { dropNulls } from './drop-nulls.ts';
import { Failure } from './failure.ts';

/** Accepts any fraction of a second, years 1 to 9999, and an offset or Z. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;
const formats = {
  'date-time': (text: string) =>
    dateTime.test(text) && !Number.isNaN(Date.parse(text)) && !text.startsWith('0000'),
};

const options = {
  allErrors: false,
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  discriminator: true,
  formats,
} as const;
const forBodies = new Ajv({ ...options, coerceTypes: false });
const forText = new Ajv({ ...options, coerceTypes: 'array' });

export type Check = (value: unknown) => void;

/** Validates JSON bodies: coerces nothing, drops nulls of optional fields, fills in defaults. */
export function checkBody(schema: TSchema): Check {
  const check = compiledWhenUsed(forBodies, schema, '');
  return (value) => {
    if (value === undefined) throw new Failure('invalid', 'A JSON body is required.');
    dropNulls(schema, value);
    check(value);
  };
}

/** Validates query parameters: coerces text to numbers, booleans and lists. */
export function checkQuery(schema: TSchema): Check {
  const check = compiledWhenUsed(forText, schema, 'query ');
  const { properties = {} } = schema as { properties?: Record<string, { 'x-separator'?: string }> };
  const separators = Object.entries(properties).flatMap(([name, { 'x-separator': separator }]) =>
    separator === undefined ? [] : [[name, separator] as const],
  );
  return (value) => {
    const query = value as Record<string, string | string[] | undefined>;
    for (const [name, separator] of separators) {
      const given = query[name];
      if (given !== undefined) query[name] = [given].flat().flatMap((text) => text.split(separator));
    }
    check(query);
  };
}

/** Compiles a schema on first use, as compiling all of them would take half of the start-up time. */
function compiledWhenUsed(ajv: Ajv, schema: TSchema, where: string): Check {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    if (!validate(value)) throw failureOf(validate, where);
  };
}

function failureOf(validate: ValidateFunction, where: string): Failure {
  const errors = (validate.errors ?? []).map(detailOf);
  const [first] = errors;
  const message = first ? `${where}${first.pointer || 'body'}: ${first.detail}` : 'The request is malformed.';
  return new Failure('invalid', message, { errors });
}

function detailOf({ keyword, instancePath, params, message }: ErrorObject): ProblemDetail {
  const { missingProperty, additionalProperty, allowedValues } = params as Record<string, string>;
  if (keyword === 'required') {
    return {
      pointer: `${instancePath}/${missingProperty}`,
      code: 'required',
      detail: 'This field is required.',
    };
  }
  if (keyword === 'additionalProperties') {
    const pointer = `${instancePath}/${additionalProperty}`;
    return { pointer, code: 'unknown', detail: 'This field is unknown.' };
  }
  if (keyword === 'enum') {
    return {
      pointer: instancePath,
      code: 'enum',
      detail: `The value must be one of ${[allowedValues].flat().join(', ')}.`,
    };
  }
  return { pointer: instancePath, code: keyword, detail: `${message ?? 'Not valid'}.` };
}
