import { globSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page of the documentation that comes with the service. */
export interface DocsPage {
  /** Below `/docs/`, as `decisions/0001-postgresql.md`. */
  readonly path: string;
  /** The first heading. */
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Reads `README.md`, `CHANGELOG.md` and the Markdown below `docs/` of a folder, in the order a reader would. */
export function readDocs(root: URL): DocsPage[] {
  const folder = fileURLToPath(root);
  const paths = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md'], { cwd: folder });
  return paths
    .map((name) => name.split(sep).join(posix.sep))
    .map((name) => {
      const text = readFileSync(new URL(name, root), 'utf8');
      const path = name.replace(/^docs\//, '');
      return { path, title: /^# +(.+)$/m.exec(text)?.[1]?.trim() ?? path, text };
    })
    .toSorted((one, other) => rank(one.path) - rank(other.path) || (one.path < other.path ? -1 : 1));
}

/** The way in first, then the guides, then what lies in folders. */
function rank(path: string): number {
  if (path === 'README.md') return 0;
  if (path.includes('/')) return 3;
  return path === 'CHANGELOG.md' ? 4 : 1;
}
