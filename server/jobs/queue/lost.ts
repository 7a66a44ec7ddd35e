import { Failure } from '../../base/failure.ts';

/** What whoever no longer holds a job is told. */
export function lost(): Failure {
  return new Failure(
    'conflict',
    'You no longer hold this job: another attempt took its place, or it has ended.',
  );
}
