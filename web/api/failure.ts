import { RequestFailed } from '@platen/client/client';
import { i18n } from '../i18n/i18n.ts';

/** The error code; `offline` when no answer arrived, `unknown` for errors that are not the API's. */
export function codeOf(failure: unknown): string {
  if (failure instanceof RequestFailed) return failure.code;
  return failure instanceof TypeError ? 'offline' : 'unknown';
}

/** What happened and what to do, in the user's language. */
export function describeFailure(failure: unknown): string {
  const key = `api.failures.${codeOf(failure)}`;
  return i18n.global.t(i18n.global.te(key) ? key : 'api.failures.unknown');
}

/** The service's more precise English detail; undefined when the plain message already says everything. */
export function detailOf(failure: unknown): string | undefined {
  if (!(failure instanceof RequestFailed)) return undefined;
  const lines = failure.errors.map(({ pointer, detail }) => (pointer ? `${pointer}: ${detail}` : detail));
  return lines.length > 0 ? lines.join('\n') : failure.message;
}

/** Error messages by field: the last segment of the pointer that the service reports. */
export function fieldFailures(failure: unknown): Readonly<Record<string, string>> {
  if (!(failure instanceof RequestFailed)) return {};
  return Object.fromEntries(
    failure.errors.flatMap(({ pointer, detail }) =>
      pointer ? [[pointer.replace(/^\//, '').replaceAll('/', '.'), detail] as const] : [],
    ),
  );
}

/** Someone else has changed the resource in the meantime. */
export const isConflict = (failure: unknown) => failure instanceof RequestFailed && failure.status === 412;
export const isMissing = (failure: unknown) => failure instanceof RequestFailed && failure.status === 404;

/** For `catch`: null stands for a resource that does not exist. */
export function nullIfMissing(failure: unknown): null {
  if (isMissing(failure)) return null;
  throw failure;
}
