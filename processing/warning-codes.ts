import type { CrsNote } from '@platen/formats/crs/crs';
import type { SourceWarning } from '@platen/formats/source/source';

/** Reasons for rejecting features, which are written to the file of rejects. */
export const rejectCodes = [
  'brokenRecord',
  'invalidGeometry',
  'withoutGeometry',
  'invalidCoordinates',
  'brokenSheet',
] as const;
export type RejectCode = (typeof rejectCodes)[number];

/** All other warnings of jobs. docs/warnings.md describes what to do about each. */
export const noticeCodes = [
  'approximateGeoid',
  'assumedHeights',
  'baseElsewhere',
  'beyondMercator',
  'brokenIndex',
  'brokenObjects',
  'circularParts',
  'compoundHorizontal',
  'cutSheet',
  'expressionFailed',
  'farAwayObjects',
  'flatSurfaces',
  'furtherGeometries',
  'heightSpikes',
  'longEdges',
  'missingAttributes',
  'missingCrs',
  'missingGrid',
  'missingParents',
  'missingSideFiles',
  'missingSurfaces',
  'missingTable',
  'missingTextures',
  'mixedTypes',
  'networkIsOpen',
  'outsideCrsArea',
  'outsideImage',
  'outsideTerrain',
  'partlyUsed',
  'placedBySite',
  'pointsOutside',
  'repeatedIds',
  'roundedNumbers',
  'sheetWithoutPlace',
  'sheetsFarApart',
  'surfaceAttributes',
  'tileCoalesced',
  'tileThinned',
  'tileTooLarge',
  'tileTruncated',
  'tooManyAttributes',
  'typeMismatch',
  'uncommittedChanges',
  'unknownDatumShift',
  'unknownHostKey',
  'unknownSource',
  'unmendedAreas',
  'unreadableModels',
  'unreadableRows',
  'unreadableSheet',
  'unsupportedGroundOverlay',
  'unsupportedModelParts',
  'unsupportedNetworkLink',
  'unsupportedPhotoOverlay',
  'unsupportedScreenOverlay',
  'unusedContent',
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

/** Checks that the codes of all formats are included. */
type FormatCode = CrsNote['code'] | SourceWarning['code'];
const areAllNotices: FormatCode extends NoticeCode ? true : never = true;
void areAllNotices;
