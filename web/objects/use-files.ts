import { useQuery } from '@pinia/colada';
import type { ListedObject } from '@platen/contract/object-info';
import type { Page } from '@platen/contract/schema';
import { computed } from 'vue';
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router';
import { api } from '../api/api.ts';
import { projectKey } from '../live/keys.ts';
import { useListQuery } from '../live/list-query.ts';
import { useProjectId } from '../page/use-project.ts';
import { folderOf } from '../uploads/upload-item.ts';
import { kindGroups, kindsOf, type KindGroup } from './kinds.ts';
import { useBuckets } from './use-buckets.ts';

/** The state of the files page, kept in the address: a folder of a data bucket, or the search below it. */
export function useFiles() {
  const route = useRoute();
  const router = useRouter();
  const projectId = useProjectId();
  const { text, page, sorting, query, parameter } = useListQuery({ by: 'key', direction: 'asc' });
  const { buckets, defaultId, error: bucketError } = useBuckets(projectId);

  const bucketParameter = parameter('bucket');
  const bucketId = computed(() => bucketParameter.value ?? defaultId.value ?? '');
  const folder = parameter('in');
  const kindName = parameter('kind');
  const kind = computed<KindGroup>({
    get: () => kindGroups.find((one) => one === kindName.value) ?? 'all',
    set: (value) => (kindName.value = value === 'all' ? undefined : value),
  });
  const write = (change: LocationQueryRaw) =>
    void router.replace({ query: { ...route.query, ...change }, hash: route.hash });
  const selected = computed({
    get: () => (typeof route.query['key'] === 'string' ? route.query['key'] : undefined),
    set: (key: string | undefined) => write({ key }),
  });
  // a link to a file opens its folder
  const prefix = computed(() => folder.value ?? (text.value === '' ? linkedFolder : ''));
  const linkedFolder = route.query['in'] === undefined ? folderOf(selected.value ?? '') : '';

  /** Opens a folder; Back returns to the previous one. */
  function open(key: string): void {
    void router.push({
      query: { bucket: bucketParameter.value, in: key, sort: route.query['sort'], kind: route.query['kind'] },
    });
  }
  function openBucket(id: string): void {
    void router.push({ query: { bucket: id === defaultId.value ? undefined : id } });
  }

  const isFiltered = computed(() => text.value !== '' || kind.value !== 'all');
  const request = computed(() => ({
    ...query.value,
    orderBy: sortedBy(sorting.value.by, isFiltered.value),
    details: true,
    ...(prefix.value !== '' && { prefix: prefix.value }),
    ...(!isFiltered.value && { delimiter: '/' as const }),
    ...(text.value !== '' && { contains: [text.value] }),
    ...(kind.value !== 'all' && { kind: kindsOf[kind.value]! }),
  }));
  const list = useQuery({
    key: () => projectKey(projectId.value, 'objects', bucketId.value, 'list', request.value),
    enabled: () => bucketId.value !== '',
    placeholderData: (before: Page<ListedObject> | undefined) => before,
    query: (): Promise<Page<ListedObject>> =>
      api.getProjectDataBucketObjects({
        params: { projectId: projectId.value, dataBucketId: bucketId.value },
        query: request.value,
      }),
  });
  const place = computed(() => ({ projectId: projectId.value, dataBucketId: bucketId.value }));
  return {
    projectId,
    bucketId,
    buckets,
    bucketError,
    defaultId,
    place,
    prefix,
    text,
    kind,
    page,
    sorting,
    selected,
    isFiltered,
    list,
    open,
    openBucket,
  };
}
export type Files = ReturnType<typeof useFiles>;

type Orders = ('type' | 'key' | 'size' | 'updatedAt')[];

/** Folders, if there are any, sort before files. */
function sortedBy(by: string, isFiltered: boolean): Orders {
  const column = by === 'size' || by === 'updatedAt' ? by : 'key';
  return isFiltered ? [column] : ['type', column];
}
