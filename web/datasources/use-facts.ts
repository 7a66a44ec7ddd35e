import type { Datasource } from '@platen/contract/datasources';
import { useQuery } from '@pinia/colada';
import { api } from '../api/api.ts';
import { isMissing } from '../api/failure.ts';
import { projectKey } from '../live/keys.ts';
import { usePermissions } from '../page/use-project.ts';

/** Information about a datasource from other parts of the API. */
export interface DatasourceFacts {
  readonly isPublic: boolean;
  readonly numberOfUses: number;
  /** Bytes of the file or folder; undefined for external data and when the caller may not see the files. */
  readonly size: number | undefined;
  readonly isFileMissing: boolean;
}

/** For a single datasource; lists already include this information. */
export function useDatasourceFacts(datasource: () => Datasource | undefined) {
  const { may } = usePermissions(() => datasource()?.projectId);
  const maySeeFiles = () => may('getDataBucket');
  return useQuery({
    key: () => {
      const { projectId = '', _id = '', dataRevision = 0 } = datasource() ?? {};
      return projectKey(projectId, 'datasource', 'facts', _id, dataRevision, String(maySeeFiles()));
    },
    enabled: () => datasource() !== undefined,
    query: () => factsOf(datasource()!, maySeeFiles()),
  });
}

async function factsOf(datasource: Datasource, maySeeFiles: boolean): Promise<DatasourceFacts> {
  const { projectId, _id: datasourceId } = datasource;
  const params = { projectId, datasourceId };
  const [links, uses, file] = await Promise.all([
    api.getProjectDatasourceLinks({ params }),
    api.getProjectDatasourceUsedBy({ params, query: { limit: 1 } }),
    maySeeFiles ? fileOf(datasource) : nothingOfFile,
  ]);
  return { isPublic: links.isPublic, numberOfUses: uses.totalCount, ...file };
}

type FileFacts = Pick<DatasourceFacts, 'size' | 'isFileMissing'>;

const nothingOfFile: FileFacts = { size: undefined, isFileMissing: false };

async function fileOf({ projectId, sourceProperties: source }: Datasource): Promise<FileFacts> {
  if (source.type === 'external') return nothingOfFile;
  const { dataBucketId, dataBucketKey: key } = source;
  try {
    const info = await api.getProjectDataBucketObject({
      params: { projectId, dataBucketId },
      query: { key },
    });
    return { size: info.size, isFileMissing: false };
  } catch (failure) {
    return { size: undefined, isFileMissing: isMissing(failure) };
  }
}
