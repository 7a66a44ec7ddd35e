import { notFound } from '../../base/failure.ts';

/** @throws Failure `not_found` for what cannot be the number of a revision */
export function revisionNumber(raw: string): number {
  if (!/^[1-9]\d{0,8}$/.test(raw)) throw notFound('revision');
  return Number(raw);
}
