import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { middleHeightOf, viewpointOf } from '../map/viewpoint.ts';

/** A module that shows only this datasource: its layer, active, seen from above. */
export function previewModule(
  datasource: Pick<Datasource, 'type' | 'bbox' | 'properties'>,
  layer: FreeForm,
): FreeForm {
  const isOblique = datasource.type === 'oblique';
  const relief = datasource.type === 'qmesh' && {
    properties: { ...(layer['properties'] as object | undefined), relief: true },
  };
  const activeLayer = { ...layer, activeOnStartup: true, ...relief };
  return {
    name: 'preview',
    ...(isOblique ? { obliqueCollections: [layer] } : { layers: [activeLayer] }),
    ...(isOblique && { maps: [{ type: 'ObliqueMap', name: 'oblique' }], startingMapName: 'oblique' }),
    ...(datasource.bbox && {
      viewpoints: [
        { ...viewpointOf(datasource.bbox, { height: middleHeightOf(datasource.properties) }), name: 'start' },
      ],
      startingViewpointName: 'start',
    }),
    featureInfo: [{ type: 'TableFeatureInfoView', name: 'attributes' }],
  };
}
