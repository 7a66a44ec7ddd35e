import type { InspectionSummary } from '@platen/contract/inspect';
import { useI18n } from 'vue-i18n';
import { formatNumber } from '../i18n/format.ts';
import { describeInspection, describeName, type Translator } from './describe.ts';

/** Describes files in the user's language. */
export function useDescribe() {
  const { t } = useI18n();
  const translator: Translator = {
    t: (key, named = {}, plural) => (plural === undefined ? t(key, named) : t(key, named, plural)),
    n: (value) => formatNumber(value),
  };
  return (file: { readonly key: string; readonly inspection?: InspectionSummary | undefined }): string =>
    file.inspection ? describeInspection(file.inspection, translator) : describeName(file.key, translator);
}
