import type { ProblemDetail } from '@platen/contract/error';
import type { JobWarning } from '@platen/contract/jobs';
import type { TSchema } from 'typebox';
import { nearestName } from '../../base/nearest-name.ts';
import { findPlaces, findUnknownKeys, type UnknownKey } from '../../base/unknown-keys.ts';

/** Codes of warnings about parameters, issued before a job exists. */
export const parameterWarningCodes = ['unknownParameter', 'unknownType'] as const;

const maxExamples = 20;
const maxWarnings = 100;
const isType = ({ key }: UnknownKey) => key === '@type';

/** Finds keys, and values of `@type`, that a schema does not know, as warnings with their pointers. */
export function findUnknown(schema: TSchema, value: unknown): JobWarning[] {
  const unknown = findUnknownKeys(schema, value);
  return [
    ...warningOf(
      'unknownParameter',
      'These parameters are not known to the job type and have no effect.',
      unknown.filter((one) => !isType(one)),
    ),
    ...warningOf(
      'unknownType',
      'These values of @type are not known to the job type and have no effect.',
      unknown.filter(isType),
    ),
  ];
}

/** Warnings for the task itself: one for each unknown key, with the name that was probably meant, or its place elsewhere. */
export function describeUnknown(schema: TSchema, parameters: unknown): ProblemDetail[] {
  const unknown = findUnknownKeys(schema, parameters).filter((one) => !isType(one));
  const places = findPlaces(schema);
  return unknown.slice(0, maxWarnings).map(({ pointer, key, known }) => {
    const name = nearestName(key, known) ?? placeOf(key, places);
    const question = name === undefined ? '' : ` Did you mean ${name}?`;
    const detail = `The job type does not know this option.${question}`;
    return { pointer: `/parameters${pointer}`, code: 'unknownParameter', detail };
  });
}

/** The pointer of an option that stands elsewhere, under this name or one like it. */
function placeOf(key: string, places: ReadonlyMap<string, string>): string | undefined {
  const place = places.get(key) ?? places.get(nearestName(key, places.keys()) ?? '');
  return place === undefined ? undefined : `/parameters${place}`;
}

function warningOf(
  code: (typeof parameterWarningCodes)[number],
  message: string,
  unknown: readonly UnknownKey[],
): JobWarning[] {
  if (unknown.length === 0) return [];
  const examples = unknown
    .slice(0, maxExamples)
    .map(({ pointer }) => ({ pointer: `/parameters${pointer}`.slice(0, 500) }));
  return [{ code, message, count: unknown.length, examples }];
}
