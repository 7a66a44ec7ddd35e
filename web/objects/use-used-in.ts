import type { UsedIn } from '@platen/contract/object-info';
import { useI18n } from 'vue-i18n';
import { formatNumber } from '../i18n/format.ts';

/** A file's most visible uses: “2 apps”, else “1 datasource”; undefined if nothing uses it. */
export function useUsedIn() {
  const { t } = useI18n();
  return (uses: UsedIn | undefined): string | undefined => {
    const kind = (['apps', 'datasources', 'tasks'] as const).find((one) => (uses?.[one] ?? 0) > 0);
    return kind && t(`objects.usedBy.${kind}`, { n: formatNumber(uses![kind]) }, uses![kind]);
  };
}
