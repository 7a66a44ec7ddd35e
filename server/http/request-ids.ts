import { randomBytes } from 'node:crypto';

/** Creates request ids that are unique across replicas and restarts, for the cost of a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
