import { RequestFailed } from '@platen/client/client';
import { i18n } from '../i18n/i18n.ts';

/** Its code, `offline` when no answer came at all, `unknown` for what is none of ours. */
export function codeOf(failure: unknown): string {
  if (failure instanceof RequestFailed) return failure.code;
  return failure instanceof TypeError ? 'offline' : 'unknown';
}

/** What happened and what to do, in plain words of the person's language. */
export function describeFailure(failure: unknown): string {
  const key = `api.failures.${codeOf(failure)}`;
  return i18n.global.t(i18n.global.te(key) ? key : 'api.failures.unknown');
}

/** What the service says of it, more exactly, in English; undefined where the plain words say all there is. */
export function detailOf(failure: unknown): string | undefined {
  if (!(failure instanceof RequestFailed)) return undefined;
  const lines = failure.errors.map(({ pointer, detail }) => (pointer ? `${pointer}: ${detail}` : detail));
  return lines.length > 0 ? lines.join('\n') : failure.message;
}

/** What is wrong with single fields, by the last part of the pointer that the service names. */
export function fieldFailures(failure: unknown): Readonly<Record<string, string>> {
  if (!(failure instanceof RequestFailed)) return {};
  return Object.fromEntries(
    failure.errors.flatMap(({ pointer, detail }) =>
      pointer ? [[pointer.replace(/^\//, '').replaceAll('/', '.'), detail] as const] : [],
    ),
  );
}

/** Somebody else has changed it meanwhile. */
export const isConflict = (failure: unknown) => failure instanceof RequestFailed && failure.status === 412;
export const isMissing = (failure: unknown) => failure instanceof RequestFailed && failure.status === 404;
