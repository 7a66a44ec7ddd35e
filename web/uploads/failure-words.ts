import { codeOf, describeFailure, detailOf } from '../api/failure.ts';
import { i18n } from '../i18n/i18n.ts';

/** Why a file was not taken, and what to do, in plain words. */
export function describeUploadFailure(failure: unknown): { text: string; detail: string | undefined } {
  const key = `uploads.failures.${codeOf(failure)}`;
  return {
    text: i18n.global.te(key) ? i18n.global.t(key) : describeFailure(failure),
    detail: detailOf(failure),
  };
}
