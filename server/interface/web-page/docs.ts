import { glob, readFile } from 'node:fs/promises';
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
export async function readDocs(root: URL): Promise<DocsPage[]> {
  const patterns = ['README.md', 'CHANGELOG.md', 'docs/**/*.md'];
  const paths = await Array.fromAsync(glob(patterns, { cwd: fileURLToPath(root) }));
  const pages = await Promise.all(
    paths.map(async (path) => {
      const name = path.split(sep).join(posix.sep);
      const text = await readFile(new URL(name, root), 'utf8');
      const address = name.replace(/^docs\//, '');
      return { path: address, title: /^# +(.+)$/m.exec(text)?.[1]?.trim() ?? address, text };
    }),
  );
  return pages.toSorted(
    (one, other) => rank(one.path) - rank(other.path) || (one.path < other.path ? -1 : 1),
  );
}

/** The introduction first, then the guides, then the pages in folders. */
function rank(path: string): number {
  if (path === 'README.md') return 0;
  if (path.includes('/')) return 3;
  return path === 'CHANGELOG.md' ? 4 : 1;
}
