import type { UploadItem } from './upload-item.ts';

/** What is smaller goes with others in one form; what is larger can be paused and goes on where it was. */
export const smallBytes = 2_000_000;
const mostInForm = 40;
const formBytes = 8_000_000;

type Waiting = Pick<UploadItem, 'state' | 'key' | 'bucketId' | 'overwrite' | 'wasFree' | 'wasInterrupted'> & {
  readonly file: { readonly size: number };
};

/** The name of a field of a form cannot say every key: browsers escape these characters. */
export const goesByForm = ({ file, key }: Pick<Waiting, 'file' | 'key'>): boolean =>
  file.size <= smallBytes && !/["\r\n]/.test(key);

/** Whether it may replace what is there: it was wanted, or what is there may be itself. */
export const mayReplace = ({
  overwrite,
  wasFree,
  wasInterrupted,
}: Pick<Waiting, 'overwrite' | 'wasFree' | 'wasInterrupted'>): boolean =>
  overwrite || (wasFree && wasInterrupted);

/** What is sent next: one large file, or as many small ones as go into one form; nothing when nothing waits. */
export function nextWork<Item extends Waiting>(items: Iterable<Item>): Item[] {
  const work: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (item.state !== 'queued') continue;
    const [first] = work;
    if (!first) {
      if (!goesByForm(item)) return [item];
    } else if (
      !goesByForm(item) ||
      item.bucketId !== first.bucketId ||
      mayReplace(item) !== mayReplace(first) ||
      bytes + item.file.size > formBytes
    ) {
      continue;
    }
    work.push(item);
    bytes += item.file.size;
    if (work.length === mostInForm) break;
  }
  return work;
}

/** How long to wait before the next try, in milliseconds. */
export const backoffMs = (attempts: number): number =>
  Math.min(30_000, 1000 * 2 ** Math.max(0, attempts - 1));
