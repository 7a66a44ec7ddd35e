import { toast } from '../ui/toasts.ts';
import { describeFailure, detailOf } from './failure.ts';

/** Says that something that was asked for did not work. */
export function toastFailure(failure: unknown): void {
  const detail = detailOf(failure);
  toast(describeFailure(failure), { tone: 'failed', ...(detail !== undefined && { detail }) });
}
