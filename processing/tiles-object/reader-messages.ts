import type { CityNotice } from '@platen/formats/city-object/city-object';
import type { RejectCode } from '../warning-codes.ts';
import type { ShapeFault } from './shape/make-shapes.ts';

/** Why an object is not shown. */
export const faults: Readonly<Record<ShapeFault, { readonly code: RejectCode; readonly reason: string }>> = {
  withoutGeometry: {
    code: 'withoutGeometry',
    reason: 'The object has no surfaces in a level of detail that is used.',
  },
  invalidCoordinates: {
    code: 'invalidCoordinates',
    reason: 'The object has positions that are none in its CRS.',
  },
  invalidGeometry: { code: 'invalidGeometry', reason: 'None of the surfaces of the object has an area.' },
};

/** What of a model is not shown. */
export const notices = {
  badPositions: { code: 'missingSurfaces', text: 'coordinates that are not numbers are left out.' },
  badIndices: { code: 'missingSurfaces', text: 'indices lead to vertices or templates that do not exist.' },
  missingSurface: { code: 'missingSurfaces', text: 'references lead to surfaces that are not in the file.' },
  libraryObject: { code: 'missingSurfaces', text: 'models in files of their own are not shown.' },
  surfaceAttribute: {
    code: 'surfaceAttributes',
    text: 'attributes of walls, roofs, openings and other surfaces are not kept: attributes belong to objects and their parts.',
  },
  unsupportedAppearance: {
    code: 'missingTextures',
    text: 'textures of kinds that are not supported are not shown.',
  },
  circularParts: { code: 'circularParts', text: 'objects are parts of themselves.' },
  missingParent: {
    code: 'missingParents',
    text: 'parts whose parents are not in the file are objects of their own.',
  },
  brokenObject: { code: 'brokenObjects', text: 'city objects without a type are left out.' },
} as const satisfies Readonly<Record<CityNotice, { readonly code: string; readonly text: string }>>;
