import { codeOf, describeFailure, detailOf } from '../api/failure.ts';
import { i18n } from '../i18n/i18n.ts';
import type { UploadItem } from './upload-item.ts';

/** Whether it failed because its name is taken. */
export const isTaken = ({ state, failure }: Pick<UploadItem, 'state' | 'failure'>): boolean =>
  state === 'failed' && codeOf(failure) === 'conflict';

/** Why a file was refused and what to do, in the user's language. */
export function describeUploadFailure(failure: unknown): { text: string; detail: string | undefined } {
  const key = `uploads.failures.${codeOf(failure)}`;
  return {
    text: i18n.global.te(key) ? i18n.global.t(key) : describeFailure(failure),
    detail: detailOf(failure),
  };
}
