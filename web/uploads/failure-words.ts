import { codeOf, describeFailure, detailOf } from '../api/failure.ts';
import { i18n } from '../i18n/i18n.ts';
import type { UploadItem } from './upload-item.ts';

/** It failed, as there is a file of its name. */
export const isTaken = ({ state, failure }: Pick<UploadItem, 'state' | 'failure'>): boolean =>
  state === 'failed' && codeOf(failure) === 'conflict';

/** Why a file was not taken, and what to do, in plain words. */
export function describeUploadFailure(failure: unknown): { text: string; detail: string | undefined } {
  const key = `uploads.failures.${codeOf(failure)}`;
  return {
    text: i18n.global.te(key) ? i18n.global.t(key) : describeFailure(failure),
    detail: detailOf(failure),
  };
}
