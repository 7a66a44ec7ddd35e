import type { Inspection } from '@platen/contract/inspect';

/** Whether there is a sample of an inspected image, or of one of the sheets of a folder. */
export const hasSample = ({
  pixels,
  thumbnail,
  sheetPicture,
}: Pick<Inspection, 'pixels' | 'thumbnail' | 'sheetPicture'>): boolean =>
  pixels !== undefined || thumbnail !== undefined || sheetPicture !== undefined;
