import { computed, ref, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { formatNumber } from '../i18n/format.ts';
import { toast } from '../ui/toasts.ts';
import { uploaded } from '../uploads/queue.ts';
import { nameOf } from '../uploads/upload-item.ts';
import type { Files } from './use-files.ts';

/** Files uploaded since the page was loaded, by data bucket; kept across visits to the page. */
const brought = ref<ReadonlySet<string>>(new Set());
const told = new Set<string>();

/** Selects what was just uploaded, and tells the user if it is not map data. */
export function useFresh({ projectId, bucketId, selected, list, prefix }: Files) {
  const { t } = useI18n();
  const idOf = (key: string) => `${bucketId.value}/${key}`;

  watch(uploaded, (items) => {
    const here = items.filter((item) => item.projectId === projectId.value);
    const [first] = here;
    if (!first) return;
    brought.value = new Set([...brought.value, ...here.map((item) => `${item.bucketId}/${item.key}`)]);
    toast(t('uploads.uploaded', { name: nameOf(first.key), n: formatNumber(here.length) }, here.length));
    const isShown = first.bucketId === bucketId.value && first.key.startsWith(prefix.value);
    if (!isShown) return;
    // for an uploaded folder select the folder, unless it holds a single file
    const end = first.key.indexOf('/', prefix.value.length);
    if (here.length === 1 || end === -1) selected.value = first.key;
  });

  const objects = computed(() => list.data.value?.items ?? []);
  watch(objects, (now) => {
    for (const { key, inspection } of now) {
      const id = idOf(key);
      if (inspection?.facts.missing !== 'format' || !brought.value.has(id) || told.has(id)) continue;
      told.add(id);
      const isArchive = /\.(zip|7z|rar|tar|t?gz)$/i.test(key);
      toast(t('objects.unrecognised', { name: nameOf(key) }), {
        tone: 'failed',
        detail: t(isArchive ? 'objects.unrecognisedArchive' : 'objects.unrecognisedFile'),
      });
    }
  });

  const fresh = computed(
    () => new Set(objects.value.map(({ key }) => key).filter((key) => brought.value.has(idOf(key)))),
  );
  return { fresh };
}
