import { computed, ref, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { formatNumber } from '../i18n/format.ts';
import { toast } from '../ui/toasts.ts';
import { uploaded } from '../uploads/queue.ts';
import { nameOf } from '../uploads/upload-item.ts';
import type { Files } from './use-files.ts';

/** Files uploaded since the page was loaded, by data bucket; kept across visits to the page. */
const uploadedKeys = ref<ReadonlySet<string>>(new Set());
const reported = new Set<string>();

/** Selects what was just uploaded, and tells the user if it is not map data. */
export function useRecentUploads({ projectId, bucketId, selected, list, prefix }: Files) {
  const { t } = useI18n();
  const idOf = (key: string) => `${bucketId.value}/${key}`;

  watch(uploaded, (items) => {
    const here = items.filter((item) => item.projectId === projectId.value);
    const [first] = here;
    if (!first) return;
    uploadedKeys.value = new Set([
      ...uploadedKeys.value,
      ...here.map((item) => `${item.bucketId}/${item.key}`),
    ]);
    toast(t('uploads.uploaded', { name: nameOf(first.key), n: formatNumber(here.length) }, here.length));
    const isVisible = first.bucketId === bucketId.value && first.key.startsWith(prefix.value);
    if (!isVisible) return;
    // for an uploaded folder select the folder, unless it holds a single file
    const end = first.key.indexOf('/', prefix.value.length);
    if (here.length === 1 || end === -1) selected.value = first.key;
  });

  const objects = computed(() => list.data.value?.items ?? []);
  watch(objects, (now) => {
    for (const { key, inspection } of now) {
      const id = idOf(key);
      if (inspection?.facts.missing !== 'format' || !uploadedKeys.value.has(id) || reported.has(id)) continue;
      reported.add(id);
      const isArchive = /\.(zip|7z|rar|tar|t?gz)$/i.test(key);
      toast(t('objects.unrecognised', { name: nameOf(key) }), {
        tone: 'failed',
        detail: t(isArchive ? 'objects.unrecognisedArchive' : 'objects.unrecognisedFile'),
      });
    }
  });

  const fresh = computed(
    () => new Set(objects.value.map(({ key }) => key).filter((key) => uploadedKeys.value.has(idOf(key)))),
  );
  return { fresh };
}
