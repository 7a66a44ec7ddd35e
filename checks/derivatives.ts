/** A committed file that is made from others. */
export interface Derivative {
  file: string;
  /** Run by node from the root, without arguments; prints what the file has to hold. */
  script: string;
}

/** `npm run bless` writes them anew, and a test fails while one differs from what its script prints. */
export const derivatives: readonly Derivative[] = [
  { file: 'contract/openapi.json', script: 'checks/print-openapi.ts' },
];
