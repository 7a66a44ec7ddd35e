import { relative, sep } from 'node:path';
import type { JobInput } from '../../job-type.ts';

/** Equal for files of an input, or in its archives, that have the same content; undefined if that is unknown. */
export function contentOf(
  { path, name, content, contents }: Pick<JobInput, 'path' | 'name' | 'content' | 'contents'>,
  file: Pick<JobInput, 'path' | 'name'>,
): string | undefined {
  if (contents === undefined)
    return content === undefined ? undefined : path === file.path ? content : `${content}/${file.name}`;
  if (file.path.startsWith(path + sep)) return contents[relative(path, file.path).replaceAll(sep, '/')];
  // it was unpacked: its own name has lost the ending of gzip, or follows that of the archive
  const steps = file.name.slice(name.length + 1).split('/');
  const archives = steps.map((_, i) => steps.slice(0, i + 1).join('/'));
  const packed = archives
    .flatMap((archive) => [archive, `${archive}.gz`, `${archive}.GZ`])
    .filter((archive) => contents[archive] !== undefined);
  return packed.length === 1 ? `${contents[packed[0]!]}/${file.name}` : undefined;
}
