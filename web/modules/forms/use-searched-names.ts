import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { projectKey } from '../../live/keys.ts';
import { textOf, type Item } from '../document/content.ts';
import { useModuleEditor } from '../editor/use-module-editor.ts';
import { useLayerData } from './use-layer-data.ts';

/** Layers of which no page has all features: the service lists their names. */
const listedTypes = new Set<unknown>(['VectorTileLayer', 'FlatGeobufLayer', 'CesiumTilesetLayer']);
/** The search of a page reads so many names. */
const maxNames = 50_000;

export interface SearchedNames {
  readonly count: number;
  /** There are more than the search reads. */
  readonly isCut: boolean;
}

/** How many names a search by an attribute finds, as far as that is known; `unlisted` of data that cannot be searched. */
export function useSearchedNames(layer: () => Item | undefined, attribute: () => string | undefined) {
  const { projectId } = useModuleEditor();
  const data = useLayerData(layer);
  const datasourceId = computed(() => textOf(layer()?.['datasourceId']));
  const isListed = computed(() => listedTypes.has(layer()?.['type']));
  const { data: listed } = useQuery({
    key: () =>
      projectKey(projectId.value, 'datasource', 'names', datasourceId.value ?? '', attribute() ?? ''),
    enabled: () => isListed.value && datasourceId.value !== undefined && attribute() !== undefined,
    query: ({ signal }) => readNames(datasourceId.value!, attribute()!, signal),
  });
  return computed((): SearchedNames | 'unlisted' | undefined => {
    if (attribute() === undefined) return undefined;
    if (isListed.value) return datasourceId.value === undefined ? 'unlisted' : (listed.value ?? undefined);
    const count = data.value?.featureCount ?? 0;
    return count > maxNames ? { count: maxNames, isCut: true } : undefined;
  });
}

/** `unlisted`: tiles of other services, or in a folder. */
async function readNames(
  datasourceId: string,
  attribute: string,
  signal: AbortSignal,
): Promise<SearchedNames | 'unlisted'> {
  const address = `/data/${datasourceId}/names.json?attribute=${encodeURIComponent(attribute)}`;
  const response = await fetch(address, { signal });
  if (!response.ok) return 'unlisted';
  const { isCut, names } = (await response.json()) as { isCut: boolean; names: string };
  return { isCut, count: names === '' ? 0 : names.split('\n').length };
}
