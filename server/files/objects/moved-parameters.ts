import type { FreeForm } from '@platen/contract/schema';
import { isObject } from '../../base/is-object.ts';
import type { ObjectPath } from './transfer-store.ts';

/** A file, or a folder whose key ends in `/`, that has got another place. */
export interface Move {
  readonly from: ObjectPath;
  readonly to: ObjectPath;
  /** Whether a file has the folder's name, too: a key without a `/` means the file. */
  readonly isFileToo: boolean;
  /** The bucket that an output goes to which names none. */
  readonly defaultBucketId: string;
}

/** The parameters of a task or job with the new place wherever they name the old one; undefined where they do not. */
export function movedParameters(parameters: FreeForm, move: Move): FreeForm | undefined {
  const { options } = parameters;
  if (!isObject(options)) return undefined;
  const input = movedInput(options['input'], move);
  const output = movedOutput(options['output'], move);
  if (!input && !output) return undefined;
  return { ...parameters, options: { ...options, ...(input && { input }), ...(output && { output }) } };
}

function movedInput(input: unknown, move: Move): FreeForm | unknown[] | undefined {
  if (!Array.isArray(input)) return movedSource(input, move);
  const sources = input.map((source: unknown) => movedSource(source, move));
  return sources.some((source) => source)
    ? sources.map((source, index) => source ?? input[index])
    : undefined;
}

function movedSource(source: unknown, move: Move): FreeForm | undefined {
  if (!isObject(source) || source['type'] !== 'internal') return undefined;
  if (source['dataBucketId'] !== move.from.bucketId) return undefined;
  const dataBucketKey = movedKey(source['dataBucketKey'], move);
  return dataBucketKey === undefined
    ? undefined
    : { ...source, dataBucketId: move.to.bucketId, dataBucketKey };
}

/** Outputs go to folders only. */
function movedOutput(output: unknown, move: Move): FreeForm | undefined {
  if (!isObject(output) || !move.from.key.endsWith('/')) return undefined;
  if ((output['dataBucketId'] ?? move.defaultBucketId) !== move.from.bucketId) return undefined;
  const prefix = movedKey(output['prefix'], { ...move, isFileToo: false });
  if (prefix === undefined) return undefined;
  const isElsewhere = move.to.bucketId !== move.from.bucketId;
  return { ...output, ...(isElsewhere && { dataBucketId: move.to.bucketId }), prefix };
}

function movedKey(raw: unknown, { from, to, isFileToo }: Move): string | undefined {
  if (typeof raw !== 'string') return undefined;
  const key = raw.replace(/^\//, '').normalize('NFC');
  if (!from.key.endsWith('/')) return key === from.key ? to.key : undefined;
  if (key.startsWith(from.key)) return to.key + key.slice(from.key.length);
  return `${key}/` === from.key && !isFileToo ? to.key.slice(0, -1) : undefined;
}
