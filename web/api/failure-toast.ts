import { toast } from '../ui/toasts.ts';
import { describeFailure, detailOf } from './failure.ts';

/** Shows a toast for a failed action. */
export function toastFailure(failure: unknown): void {
  const detail = detailOf(failure);
  toast(describeFailure(failure), { tone: 'failed', ...(detail !== undefined && { detail }) });
}
