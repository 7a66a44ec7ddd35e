import { useI18n } from 'vue-i18n';

/** The title of an issue by its code in the user's language; undefined for a code of a plugin. */
export function useIssueTitle() {
  const texts = useI18n();
  return (code: string): string | undefined =>
    texts.te(`file-issues.of.${code}`) ? texts.t(`file-issues.of.${code}`) : undefined;
}
