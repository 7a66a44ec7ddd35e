import { SourceError } from '@platen/formats/source/source';
import { JobFailure } from '../job-type.ts';

/** Says in which file, and where in it, the trouble is; other errors are left as they are. */
export function explainSourceError(error: unknown, file: string): unknown {
  if (!(error instanceof SourceError)) return error;
  const { line, byte, row, feature } = error.place;
  const where = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(byte === undefined ? [] : [`byte ${byte}`]),
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(feature === undefined ? [] : [`feature ${feature}`]),
  ];
  const message = error.message.replace(/\.$/, '');
  return new JobFailure(error.code, `${[file, ...where].join(', ')}: ${message}.`, { cause: error });
}
