import type { Datasource } from '@platen/contract/datasources';
import { api } from '../../api/api.ts';
import { dataLayers, explainsColours } from '../../map-styles/data-layers.ts';
import { informativeStyle, isPlain } from '../../map-styles/informative-style.ts';
import { viewBoxOf } from '../../map/view-box.ts';
import { legendWords } from '../../map-styles/legend-words.ts';
import { withoutOfferedStyle } from '../../map-styles/offered-style.ts';
import { styledDataOf } from '../../map-styles/use-styled-data.ts';
import { addDatasourceWithCard } from './cards.ts';
import { type Content, type Item } from './content.ts';
import { addCollection } from './new-item.ts';

interface ReadDatasource {
  /** Its layer or collection of oblique images. */
  readonly config: Item;
  /** Whether its colours have a meaning that a legend tells. */
  readonly hasLegend: boolean;
  readonly addTo: (content: Content) => Content;
}

/** Reads what a module needs of a datasource. It looks as “Publish as a map” shows it. */
export async function readDatasource(projectId: string, datasource: Datasource): Promise<ReadDatasource> {
  const { _id: datasourceId, name } = datasource;
  const bbox = viewBoxOf(datasource);
  const layer = await api.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
  const config = withoutOfferedStyle(layer, datasource);
  if (config['type'] === 'ObliqueCollection')
    return { config, hasLegend: false, addTo: (content) => addCollection(content, config, { name, bbox }) };
  const data = await styledDataOf(datasource);
  const style = isPlain(datasource, layer) ? informativeStyle(data, { bbox }, legendWords()) : undefined;
  const layers = dataLayers({
    datasource,
    layer: { ...config, ...(style && { style }) },
    name: String(config['name']),
  });
  const { attributes } = data;
  return {
    config,
    hasLegend: explainsColours(style),
    addTo: (content) => addDatasourceWithCard(content, layers, { name, bbox, attributes }),
  };
}
