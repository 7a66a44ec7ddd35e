/** The name of a job type without its prefix, which carries no meaning. */
export const plainName = (jobType: string) => jobType.replace(/^[a-z][a-z0-9]*/, '');
