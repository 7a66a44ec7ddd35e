import type { InspectionIssue } from '@platen/contract/inspect';

const mostIssues = 100;
const longestMessage = 1000;

export interface Issues {
  add(code: string, message: string, times?: number): void;
  list(): InspectionIssue[];
}

/** Counts what is noticed, by its code and what is said of it. */
export function createIssues(): Issues {
  const known = new Map<string, InspectionIssue>();
  return {
    add(code, message, times = 1) {
      const key = `${code} ${message}`;
      const issue = known.get(key);
      if (issue) issue.count += times;
      else if (known.size < mostIssues)
        known.set(key, { code, message: message.slice(0, longestMessage).toWellFormed(), count: times });
    },
    list: () => [...known.values()],
  };
}
