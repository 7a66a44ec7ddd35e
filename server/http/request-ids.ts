import { randomBytes } from 'node:crypto';

/** Names requests uniquely across replicas and restarts, at the price of a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
