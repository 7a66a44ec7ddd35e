import type { ListedObject } from '@platen/contract/object-info';

/** Within it, an inspection begins unless all runners are busy. */
export const usualMs = 120_000;

/** Whether a file has come so lately, by whatever way, that its inspection is under way. */
export const isBeingInspected = (
  { type, inspection, updatedAt }: Pick<ListedObject, 'type' | 'inspection' | 'updatedAt'>,
  now: number,
): boolean => type === 'file' && inspection === undefined && now - Date.parse(updatedAt) < usualMs;
