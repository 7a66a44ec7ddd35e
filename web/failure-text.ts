import { ApiFailure } from './api.ts';
import { formatDistance } from './format.ts';
import { messages } from './messages.ts';

/** What happened and what to do, in plain words. */
export function describeFailure(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return messages.failure.other(String(failure));
  const { code, message, retryAfterSeconds = 60 } = failure;
  if (code === 'offline') return messages.failure.offline;
  if (code === 'unavailable') return messages.failure.unavailable;
  // rounded up: at the moment we name it must really work
  if (code === 'too_many_requests') {
    return messages.signIn.throttled(formatDistance(Math.ceil(retryAfterSeconds / 60) * 60));
  }
  return messages.failure.other(message);
}
