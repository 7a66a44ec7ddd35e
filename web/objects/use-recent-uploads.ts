import { ownerAmong } from '@platen/contract/sidecar-endings';
import { useQuery } from '@pinia/colada';
import { computed, ref, shallowRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { api } from '../api/api.ts';
import { formatNumber } from '../i18n/format.ts';
import { usualMs } from '../inspect/being-inspected.ts';
import { projectKey } from '../live/keys.ts';
import { toast } from '../ui/toasts.ts';
import { sharedFolder } from '../uploads/names.ts';
import { uploaded } from '../uploads/queue.ts';
import { nameOf } from '../uploads/upload-item.ts';
import { needsAttention, resultOf } from './batch-summary.ts';
import type { Files } from './use-files.ts';
import { useQuiet } from './use-quiet.ts';

/** Files uploaded since the page was loaded, by data bucket; kept across visits to the page. */
const uploadedKeys = ref<ReadonlySet<string>>(new Set());
const reported = new Set<string>();
const maxNames = 3;
/** The last files uploaded together, until the user closes their list. */
const lastBatch = shallowRef<{
  readonly bucketId: string;
  /** Of all of them. */
  readonly prefix: string;
  readonly keys: ReadonlySet<string>;
  /** Once it was summed up, it stays so while new versions are inspected. */
  readonly isSummedUp: boolean;
}>();
/** As many as a list may have. */
const maxListed = 1000;

/** Selects what was just uploaded, and tells the user what of it is no map data or has problems. */
export function useRecentUploads({ projectId, bucketId, selected, list, prefix }: Files) {
  const { t } = useI18n();
  const idOf = (key: string) => `${bucketId.value}/${key}`;

  watch(uploaded, async (items) => {
    const here = items.filter((item) => item.projectId === projectId.value);
    const keys = new Set(here.map(({ key }) => key));
    const owners = here.filter(({ key }) => ownerAmong(key, keys) === undefined);
    const [first] = owners;
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
      lastBatch.value = { bucketId: first.bucketId, prefix: prefix.value, keys, isSummedUp: false };
      for (const { key } of here) reported.add(idOf(key));
    }
    // of several files in one folder the folder, which may be one mosaic
    const folder = sharedFolder(owners.map(({ key }) => key));
    const isInFolder = first.key.includes('/', prefix.value.length);
    if (owners.length === 1 || !isInFolder) selected.value = first.key;
    else if (folder.length > prefix.value.length) selected.value = folder;
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

  const isHere = () => lastBatch.value?.bucketId === bucketId.value;
  const ofBatch = useQuery({
    key: () =>
      projectKey(
        projectId.value,
        'objects',
        bucketId.value,
        'uploaded together',
        lastBatch.value?.prefix ?? '',
      ),
    enabled: isHere,
    query: () => {
      const { bucketId: dataBucketId, prefix: folder } = lastBatch.value!;
      return api.getProjectDataBucketObjects({
        params: { projectId: projectId.value, dataBucketId },
        query: {
          orderBy: ['updatedAt'],
          sort: 'desc',
          limit: maxListed,
          details: true,
          ...(folder !== '' && { prefix: folder }),
        },
      });
    },
  });
  const isBatchQuiet = useQuiet(() => [lastBatch.value?.keys, ofBatch.data.value], usualMs);
  const result = computed(() => {
    if (!isHere()) return undefined;
    const { keys, isSummedUp } = lastBatch.value!;
    return resultOf(keys, ofBatch.data.value?.items ?? [], isSummedUp || isBatchQuiet.value);
  });
  watch(result, (files) => {
    const batch = lastBatch.value;
    if (!files || !batch || batch.isSummedUp) return;
    lastBatch.value = { ...batch, isSummedUp: true };
    const needy = files.filter(needsAttention).map(({ key }) => nameOf(key));
    const first = needy.slice(0, maxNames).join(', ');
    const more = needy.length - maxNames;
    const names = more > 0 ? t('objects.andMore', { names: first, n: formatNumber(more) }) : first;
    const detail = t('objects.needAttention', { n: formatNumber(needy.length), names }, needy.length);
    const inspected = files.filter(({ inspection }) => inspection !== undefined).length;
    toast(t('objects.checked', { n: formatNumber(inspected) }, inspected), {
      ...(needy.length > 0 && { tone: 'failed' }),
      detail: needy.length > 0 ? detail : restOf(files.length - inspected),
    });
  });
  const restOf = (others: number) =>
    others > 0 ? t('objects.unchecked', { n: formatNumber(others) }) : t('objects.allUsable');
  const closeResult = () => (lastBatch.value = undefined);

  const fresh = computed(
    () => new Set(objects.value.map(({ key }) => key).filter((key) => uploadedKeys.value.has(idOf(key)))),
  );
  const isListQuiet = useQuiet(objects, usualMs);
  const inspecting = computed(() => {
    const waiting = objects.value.filter(({ key, inspection }) => !inspection && fresh.value.has(key));
    return new Set(isListQuiet.value ? [] : waiting.map(({ key }) => key));
  });
  return { fresh, inspecting, result, closeResult };
}
