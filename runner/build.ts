import { buildStrippedCode } from './stripped-code/stripped-code.ts';

// The runner's part of npm run build: the code of jobs with types stripped, which each runner would write otherwise.
await buildStrippedCode();
