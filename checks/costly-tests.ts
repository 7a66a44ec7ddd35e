// Tests that cost much, and prove something that few changes can harm. CI runs all of them; `npm test` those whose
// subject may have changed since main, on which CI has run them. A file with only such tests names its subject in a
// comment, `// A test of faults.`; a single test is skipped by `unchanged('older engines')`.
import { readFileSync } from 'node:fs';

const tools = String.raw`e2e\/|checks\/test|package(-lock)?\.json$`;

/** Paths from the root of what tests of each subject may find wrong. */
const subjects = {
  /** Kills processes, cuts power, fills disks and breaks connections, again and again. */
  faults: new RegExp(`^(client|confinement|processing/kit|runner|server|storage|${tools})`),
  /** Shows again, in the map viewers before the newest, what the newest shows. */
  'older engines': new RegExp(`^(examples|server/apps|styles|viewer|web/quick-publish|${tools})`),
  /** Opens every page, and edits by hand, in a browser; journeys through the interface are no such tests. */
  'the interface': new RegExp(`^(client|contract|viewer|web|${tools})`),
  /** Stores, cuts and kills on a real S3 server; that the service works on one is no such test. */
  'object storage': new RegExp(`^(storage|${tools})`),
  /** Compares tiles of whole countries with another tiler's, with another reader, and along all their edges. */
  tiles: new RegExp(`^(formats|geo|processing|viewer|${tools})`),
} as const;

export type Subject = keyof typeof subjects;

const variable = 'PLATEN_TEST_UNCHANGED';
const comment = /^\/\/ A test of (.+)\.$/m;

/** The subject of a test file that is costly as a whole. */
export function subjectOf(file: string): Subject | undefined {
  const name = comment.exec(readFileSync(file, 'utf8'))?.[1];
  if (name === undefined || name in subjects) return name as Subject | undefined;
  throw new Error(`${file}: "${name}" is no subject. The subjects are ${Object.keys(subjects).join(', ')}.`);
}

/** The subjects that none of these files, by their paths from the root, can change. */
export function unchangedSubjects(changed: readonly string[]): Subject[] {
  const all = Object.keys(subjects) as Subject[];
  return all.filter((subject) => !changed.some((path) => subjects[subject].test(path)));
}

/** Makes test processes skip single tests of these subjects. */
export function environmentWithout(unchanged: readonly Subject[]): Readonly<Record<string, string>> {
  return { [variable]: unchanged.join() };
}

/** Why a test of this subject is skipped, or `false` if it is to run. */
export function unchanged(subject: Subject): string | false {
  return (process.env[variable] ?? '').split(',').includes(subject) && whyLeftOut(subject);
}

export function whyLeftOut(subject: Subject): string {
  return `tests of ${subject}: nothing that they test has changed since main. CI=true runs them.`;
}
