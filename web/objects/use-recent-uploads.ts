import type { ListedObject } from '@platen/contract/object-info';
import { useQuery } from '@pinia/colada';
import { computed, ref, shallowRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { api } from '../api/api.ts';
import { formatNumber } from '../i18n/format.ts';
import { projectKey } from '../live/keys.ts';
import { toast } from '../ui/toasts.ts';
import { uploaded } from '../uploads/queue.ts';
import { nameOf } from '../uploads/upload-item.ts';
import { asTheyAre, needsAttention, resultOf } from './batch-summary.ts';
import type { Files } from './use-files.ts';

/** Files uploaded since the page was loaded, by data bucket; kept across visits to the page. */
const uploadedKeys = ref<ReadonlySet<string>>(new Set());
const reported = new Set<string>();
const maxNames = 3;
/** The last files uploaded together, as they were inspected, until the user closes their list. */
let batches = 0;
const lastBatch = shallowRef<{
  readonly number: number;
  readonly bucketId: string;
  readonly prefix: string;
  readonly files: readonly ListedObject[];
}>();
/** As many as a list may have. */
const maxListed = 1000;

/** Selects what was just uploaded, and tells the user what of it is no map data or has problems. */
export function useRecentUploads({ projectId, bucketId, selected, list, prefix }: Files) {
  const { t } = useI18n();
  const idOf = (key: string) => `${bucketId.value}/${key}`;
  /** The keys of several files uploaded together, until their inspections are summed up. */
  const batch = ref<ReadonlySet<string>>(new Set());

  watch(uploaded, async (items) => {
    const here = items.filter((item) => item.projectId === projectId.value);
    const [first] = here;
    if (!first) return;
    uploadedKeys.value = new Set([
      ...uploadedKeys.value,
      ...here.map((item) => `${item.bucketId}/${item.key}`),
    ]);
    const isVisible = first.bucketId === bucketId.value && first.key.startsWith(prefix.value);
    // what is said to be uploaded has to be in the list
    if (isVisible) await list.refetch();
    toast(t('uploads.uploaded', { name: nameOf(first.key), n: formatNumber(here.length) }, here.length));
    if (!isVisible) return;
    if (here.length > 1) {
      batch.value = new Set(here.map(({ key }) => key));
      for (const { key } of here) reported.add(idOf(key));
    }
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

  watch([objects, batch], ([now, keys]) => {
    const files = resultOf(keys, now);
    if (!files) return;
    batch.value = new Set();
    batches += 1;
    lastBatch.value = { number: batches, bucketId: bucketId.value, prefix: prefix.value, files };
    const needy = files.filter(needsAttention).map(({ key }) => nameOf(key));
    const first = needy.slice(0, maxNames).join(', ');
    const more = needy.length - maxNames;
    const names = more > 0 ? t('objects.andMore', { names: first, n: formatNumber(more) }) : first;
    const detail = t('objects.needAttention', { n: formatNumber(needy.length), names }, needy.length);
    toast(t('objects.checked', { n: formatNumber(files.length) }, files.length), {
      ...(needy.length > 0 && { tone: 'failed' }),
      detail: needy.length > 0 ? detail : t('objects.allUsable'),
    });
  });
  const ofBatch = useQuery({
    key: () =>
      projectKey(
        projectId.value,
        'objects',
        bucketId.value,
        'uploaded together',
        lastBatch.value?.number ?? 0,
      ),
    enabled: () => lastBatch.value?.bucketId === bucketId.value,
    query: () => {
      const { bucketId: dataBucketId, prefix: folder } = lastBatch.value!;
      return api.getProjectDataBucketObjects({
        params: { projectId: projectId.value, dataBucketId },
        query: {
          orderBy: ['key'],
          limit: maxListed,
          details: true,
          ...(folder !== '' && { prefix: folder }),
        },
      });
    },
  });
  const result = computed(() => {
    if (lastBatch.value?.bucketId !== bucketId.value) return undefined;
    const files = asTheyAre(lastBatch.value.files, ofBatch.data.value);
    return files.length > 0 ? files : undefined;
  });
  const closeResult = () => (lastBatch.value = undefined);

  const fresh = computed(
    () => new Set(objects.value.map(({ key }) => key).filter((key) => uploadedKeys.value.has(idOf(key)))),
  );
  return { fresh, result, closeResult };
}
