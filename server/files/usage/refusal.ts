import { Failure } from '../../base/failure.ts';
import { leftOf, nothing, type Amount, type Held, type Limits } from './store.ts';

interface MissingAmount {
  readonly need: Amount;
  /** Amount already reserved for the same files. */
  readonly have?: Amount;
}

/**
 * Builds the error that names what is left of a quota, what uses it besides the current files, and how to free space.
 */
export function quotaExceeded(
  limits: Limits,
  all: Held,
  { need: more, have = nothing }: MissingAmount,
): Failure {
  const held = { ...all, reserved: less(all.reserved, have) };
  const need = {
    bytes: more.bytes && more.bytes + have.bytes,
    objects: more.objects && more.objects + have.objects,
  };
  const left = leftOf(limits, held);
  const isBytes = left.bytes !== undefined && need.bytes > left.bytes;
  const unit = isBytes ? 'bytes' : 'objects';
  const words = isBytes ? bytesInWords : filesInWords;
  const sentences = [
    `The quota of the project is ${words(limits[unit]!)}. ${words(left[unit]!)} are left, but this needs at least ${words(need[unit])}.`,
    ...usedElsewhere(held, unit, words),
    'To free space, delete files, old revisions or jobs, or empty the trash. An administrator can raise the quota.',
  ];
  const detail = sentences.join(' ');
  return new Failure('storage_full', detail, { errors: [{ pointer: '', code: 'quota', detail }] });
}

const less = (amount: Amount, other: Amount): Amount => ({
  bytes: amount.bytes - other.bytes,
  objects: amount.objects - other.objects,
});

function usedElsewhere(held: Held, unit: keyof Amount, words: (amount: number) => string): string[] {
  const places: [name: string, amount: number][] = [
    ['in old revisions', held.revisions[unit]],
    ['in the trash', held.trash[unit]],
    ['in files that jobs keep besides their outputs', held.jobFiles[unit]],
    ['in pictures of apps', held.pictures[unit]],
    ['reserved for running uploads and jobs', held.reserved[unit]],
  ];
  const named = places.filter(([, amount]) => amount > 0).map(([name, amount]) => `${words(amount)} ${name}`);
  return named.length > 0 ? [`This includes ${named.join(', ')}.`] : [];
}

/** @throws Failure `too_large` for a file above the limit of the service */
export function requireFileSize(bytes: number, maxFileBytes: number | undefined): void {
  if (maxFileBytes === undefined || bytes <= maxFileBytes) return;
  const detail = `A file can have at most ${bytesInWords(maxFileBytes)}. Split the file, or ask the operator to raise PLATEN_MAX_FILE_BYTES.`;
  throw new Failure('too_large', detail, { errors: [{ pointer: '', code: 'fileSize', detail }] });
}

const units = ['kB', 'MB', 'GB', 'TB', 'PB'] as const;

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

const filesInWords = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;
