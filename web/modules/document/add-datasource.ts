import type { Datasource } from '@platen/contract/datasources';
import { withoutOfferedStyle } from '../../map-styles/offered-style.ts';
import { api } from '../../api/api.ts';
import { styledDataOf } from '../../map-styles/use-styled-data.ts';
import { addDatasourceWithCard } from './cards.ts';
import type { Content, Item } from './content.ts';

interface ReadDatasource {
  /** Its layer or collection of oblique images. */
  readonly config: Item;
  readonly addTo: (content: Content) => Content;
}

/** Reads what a module needs of a datasource. */
export async function readDatasource(projectId: string, datasource: Datasource): Promise<ReadDatasource> {
  const { _id: datasourceId, name, bbox } = datasource;
  const layer = await api.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  const config = withoutOfferedStyle(layer, datasource);
  const { attributes } = await styledDataOf(datasource);
  return { config, addTo: (content) => addDatasourceWithCard(content, config, { name, bbox, attributes }) };
}
