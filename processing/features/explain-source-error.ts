import { SourceError } from '@platen/formats/source/source';
import { JobFailure } from '../job-type.ts';

/**
 * Turns a SourceError into a JobFailure whose message names the file and the position; other errors stay as they are.
 */
export function explainSourceError(error: unknown, file: string): unknown {
  if (!(error instanceof SourceError)) return error;
  const { line, byte, row, feature } = error.place;
  const position = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(byte === undefined ? [] : [`byte ${byte}`]),
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(feature === undefined ? [] : [`feature ${feature}`]),
  ];
  const message = error.message.replace(/\.$/, '');
  return new JobFailure(error.code, `${[file, ...position].join(', ')}: ${message}.`, { cause: error });
}
