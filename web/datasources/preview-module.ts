import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { objectTypes } from '../map-styles/styled-types.ts';
import { viewBoxOf } from '../map/view-box.ts';
import { middleHeightOf, viewpointOf } from '../map/viewpoint.ts';

/** A module that shows only this datasource: its layer, active, seen from above, or at an angle if it stands upright. */
export function previewModule(
  datasource: Pick<Datasource, 'type' | 'bbox' | 'properties'>,
  layer: FreeForm,
): FreeForm {
  const height = middleHeightOf(datasource.properties);
  const view3d = objectTypes.has(datasource.type) ? { pitch: -45, height } : { height };
  const isOblique = datasource.type === 'oblique';
  const relief = datasource.type === 'qmesh' && {
    properties: { ...(layer['properties'] as object | undefined), relief: true },
  };
  const box = viewBoxOf(datasource);
  const activeLayer = { ...layer, activeOnStartup: true, ...relief };
  return {
    name: 'preview',
    ...(isOblique ? { obliqueCollections: [layer] } : { layers: [activeLayer] }),
    ...(isOblique && { maps: [{ type: 'ObliqueMap', name: 'oblique' }], startingMapName: 'oblique' }),
    ...(box && {
      viewpoints: [{ ...viewpointOf(box, view3d), name: 'start' }],
      startingViewpointName: 'start',
    }),
    featureInfo: [{ type: 'TableFeatureInfoView', name: 'attributes' }],
  };
}
