/** A committed file, or a section of one, that is made from others. */
export interface Derivative {
  file: string;
  /** Run by node from the root, without arguments; prints what the file or section has to hold. */
  script: string;
  /** The lines between `<!-- NAME -->` and `<!-- end of NAME -->`; absent: the whole file. */
  section?: string;
}

/** `npm run bless` writes them, and a test fails while one differs from what its script prints. */
export const derivatives: readonly Derivative[] = [
  { file: 'contract/openapi.json', script: 'checks/print-openapi.ts' },
  { file: 'server/base/database/schema.sql', script: 'checks/print-schema.ts' },
  { file: 'docs/database.md', section: 'routines', script: 'checks/print-routines.ts' },
  { file: 'docs/ARCHITECTURE.md', section: 'rooms', script: 'checks/print-rooms.ts' },
];

/** Files that a test records by calling the service, if PLATEN_BLESS names them; others are made from them. */
export const recordings = [
  { file: 'contract/examples.json', name: 'examples', test: 'server/interface/examples/examples.test.ts' },
] as const;
