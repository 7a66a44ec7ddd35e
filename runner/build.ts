import { buildJobCode } from './job-code/job-code.ts';

// The runner's part of npm run build: the code of jobs, which each runner would compile otherwise.
await buildJobCode();
