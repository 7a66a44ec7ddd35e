import type { InspectionIssue } from '@platen/contract/inspect';

const maxIssues = 100;
const maxMessageLength = 1000;

export interface Issues {
  add(code: string, message: string, times?: number): void;
  list(): InspectionIssue[];
}

/** Counts issues by code and message. */
export function createIssues(): Issues {
  const known = new Map<string, InspectionIssue>();
  return {
    add(code, message, times = 1) {
      const key = `${code} ${message}`;
      const issue = known.get(key);
      if (issue) issue.count += times;
      else if (known.size < maxIssues)
        known.set(key, { code, message: message.slice(0, maxMessageLength).toWellFormed(), count: times });
    },
    list: () => [...known.values()],
  };
}
