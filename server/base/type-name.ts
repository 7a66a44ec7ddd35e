/** The name of a job type without its prefix, by which runners tell what they can run. */
export function typeNameOf(jobType: string): string {
  return jobType.replace(/^[a-z][a-z0-9]*/, '');
}
