import type { UploadItem } from './upload-item.ts';

/** Smaller files are sent together in one form; larger ones can be paused and resumed. */
export const smallBytes = 2_000_000;
const maxPerForm = 40;
const formBytes = 8_000_000;

type QueuedUpload = Pick<
  UploadItem,
  'state' | 'key' | 'bucketId' | 'overwrite' | 'wasFree' | 'wasInterrupted'
> & {
  readonly file: { readonly size: number };
};

/** Whether a form's field name can hold the key: browsers escape these characters. */
export const fitsForm = ({ file, key }: Pick<QueuedUpload, 'file' | 'key'>): boolean =>
  file.size <= smallBytes && !/["\r\n]/.test(key);

/** Whether it may overwrite an existing file: on request, or because that file may be its own earlier attempt. */
export const mayReplace = ({
  overwrite,
  wasFree,
  wasInterrupted,
}: Pick<QueuedUpload, 'overwrite' | 'wasFree' | 'wasInterrupted'>): boolean =>
  overwrite || (wasFree && wasInterrupted);

/** The next batch to send: one large file, or the small ones that fit into one form; empty when nothing waits. */
export function nextWork<Item extends QueuedUpload>(items: Iterable<Item>): Item[] {
  const work: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (item.state !== 'queued') continue;
    const [first] = work;
    if (!first) {
      if (!fitsForm(item)) return [item];
    } else if (
      !fitsForm(item) ||
      item.bucketId !== first.bucketId ||
      mayReplace(item) !== mayReplace(first) ||
      bytes + item.file.size > formBytes
    ) {
      continue;
    }
    work.push(item);
    bytes += item.file.size;
    if (work.length === maxPerForm) break;
  }
  return work;
}

/** The delay before the next attempt, in milliseconds. */
export const backoffMs = (attempts: number): number =>
  Math.min(30_000, 1000 * 2 ** Math.max(0, attempts - 1));
