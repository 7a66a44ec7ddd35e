/** The folder of a data bucket in which jobs keep their files, unless their task names another. */
export const jobsFolder = '.jobs/';

/** The first key in byte order that sorts after all keys of that folder. */
export const afterJobs = '.jobs0';
