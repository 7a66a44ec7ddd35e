import { Type } from 'typebox';

/** `output.attribution` */
export const attribution = Type.Optional(
  Type.String({ title: 'Attribution', description: 'Shown by viewers that support attributions.' }),
);
