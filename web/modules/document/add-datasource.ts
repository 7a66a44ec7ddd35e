import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { api } from '../../api/api.ts';
import { dataLayers } from '../../map-styles/data-layers.ts';
import { firstStyle } from '../../map-styles/first-style.ts';
import { viewBoxOf } from '../../map/view-box.ts';
import { withoutOfferedStyle } from '../../map-styles/offered-style.ts';
import { styledDataOf } from '../../map-styles/use-styled-data.ts';
import { addDatasourceWithCard } from './cards.ts';
import { type Content, type Item } from './content.ts';
import { addCollection } from './new-item.ts';

interface ReadDatasource {
  /** Its layer or collection of oblique images. */
  readonly config: Item;
  /** Undefined if it is that of the datasource. */
  readonly style?: FreeForm | undefined;
  readonly addTo: (content: Content) => Content;
}

/** Reads what a module needs of a datasource. It looks as “Publish as a map” shows it. */
export async function readDatasource(projectId: string, datasource: Datasource): Promise<ReadDatasource> {
  const { _id: datasourceId, name } = datasource;
  const bbox = viewBoxOf(datasource);
  const layer = await api.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  const config = withoutOfferedStyle(layer, datasource);
  if (config['type'] === 'ObliqueCollection')
    return { config, addTo: (content) => addCollection(content, config, { name, bbox }) };
  const data = await styledDataOf(datasource);
  const style = firstStyle(datasource, layer, data);
  const layers = dataLayers({
    datasource,
    layer: { ...config, ...(style && { style }) },
    name: String(config['name']),
  });
  const { attributes } = data;
  return {
    config,
    style,
    addTo: (content) => addDatasourceWithCard(content, layers, { name, bbox, attributes }),
  };
}
