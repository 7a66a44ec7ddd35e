import { Type, type Static } from 'typebox';
import { Bbox, FreeForm } from './schema.ts';

/** What the service has found in the data, soon after it was registered or changed. Fields that are absent are unknown. */
export const DatasourceFacts = Type.Object(
  {
    bbox: Type.Optional({
      ...Bbox,
      description: 'Extent of the data; also the `bbox` of the datasource, unless that was given',
    }),
    crs: Type.Optional(Type.String({ description: 'Coordinate reference system, such as EPSG:25832' })),
    verticalDatum: Type.Optional(Type.String({ description: 'What heights count from' })),
    heights: Type.Optional(
      Type.Array(Type.Number(), {
        minItems: 2,
        maxItems: 2,
        description: 'Lowest and highest height in metres',
      }),
    ),
    minZoom: Type.Optional(Type.Integer()),
    maxZoom: Type.Optional(Type.Integer()),
    numberOfFeatures: Type.Optional(Type.Integer()),
    attributes: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), type: Type.String() }), { maxItems: 200 }),
    ),
    attribution: Type.Optional(
      Type.String({
        description:
          'Whom the data names as its source; layers show it unless `properties.attribution` names another',
      }),
    ),
    layerOptions: Type.Optional({
      ...FreeForm,
      description: 'Options that layers need for a web address, unless `typeProperties` has them',
    }),
  },
  { description: 'What was found in the data: by the inspection of its file, or at its address' },
);
export type DatasourceFacts = Static<typeof DatasourceFacts>;
