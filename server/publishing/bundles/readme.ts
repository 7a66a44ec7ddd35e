import { isHeld } from './place-modules.ts';
import { needsRanges } from './datasource-part.ts';
import { madeEntry, type Entry } from './part.ts';
import type { BundleSource } from './sources.ts';
import { withoutSecrets } from './without-secrets.ts';

interface ReadMe {
  readonly title: string;
  /** Paragraphs that explain what the bundle is and how to use it. */
  readonly about: readonly string[];
  readonly sources: readonly BundleSource[];
  readonly notes: readonly string[];
  /** Other servers that are asked. */
  readonly hosts?: readonly string[];
}

/** The README for people who find a bundle in a folder. */
export function readMe({ title, about, sources, notes, hosts = [] }: ReadMe): Entry {
  const held = sources.filter(isHeld);
  const ranged = held.filter(needsRanges).map(({ name }) => name);
  const elsewhere = sources.flatMap(({ name, sourceProperties: source }) =>
    source.type === 'external' ? [`${name}: ${source.url}`] : [],
  );
  const sections = [
    title,
    ...about,
    ...listed(
      'Clients read these datasources in ranges. They need a web server that supports range requests, such as nginx, Apache ' +
        'or S3; “python3 -m http.server” does not:',
      ranged,
    ),
    ...listed('The data of these datasources is on other servers and not in this folder:', elsewhere),
    ...listed('The map loads data from these servers:', hosts),
    ...listed('Not in this folder:', notes),
  ];
  return madeEntry('README.txt', `${withoutSecrets(sections.join('\n\n'))}\n`, 'text/plain; charset=utf-8');
}

function listed(heading: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  // names are of users: one line each
  return [[heading, ...items.map((item) => `- ${item.replaceAll(/\s+/g, ' ')}`)].join('\n')];
}
