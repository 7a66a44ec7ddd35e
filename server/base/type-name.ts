/** The name of a job type without its prefix, as runners list the types that they support. */
export function typeNameOf(jobType: string): string {
  return jobType.replace(/^[a-z][a-z0-9]*/, '');
}
