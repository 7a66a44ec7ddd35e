import type { CrsNote } from '@platen/formats/crs/crs';
import type { SourceWarning } from '@platen/formats/source/source';

/** Why features are set aside: what they look like goes into the file of rejects. */
export const rejectCodes = [
  'brokenRecord',
  'invalidGeometry',
  'withoutGeometry',
  'invalidCoordinates',
] as const;
export type RejectCode = (typeof rejectCodes)[number];

/** Everything else that a job may notice. docs/warnings.md says of each what to do. */
export const noticeCodes = [
  'beyondMercator',
  'brokenIndex',
  'compoundHorizontal',
  'expressionFailed',
  'furtherGeometries',
  'longEdges',
  'missingAttributes',
  'missingCrs',
  'missingGrid',
  'missingTable',
  'mixedTypes',
  'networkIsOpen',
  'outsideCrsArea',
  'partlyUsed',
  'tileCoalesced',
  'tileThinned',
  'tileTooLarge',
  'tileTruncated',
  'tooManyAttributes',
  'typeMismatch',
  'uncommittedChanges',
  'unknownDatumShift',
  'unknownHostKey',
  'unknownOption',
  'unknownSource',
  'unmendedAreas',
  'unsupportedGroundOverlay',
  'unsupportedNetworkLink',
  'unsupportedPhotoOverlay',
  'unsupportedScreenOverlay',
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

/** What the formats tell is among them. */
type Told = CrsNote['code'] | SourceWarning['code'];
const told: Told extends NoticeCode ? true : never = true;
void told;
