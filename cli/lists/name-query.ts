import type { Invocation } from '../command.ts';

/** The filter of `--name`. */
export function nameQuery({ option }: Invocation): { name?: string[] } {
  const text = option('name');
  return text === undefined ? {} : { name: [text] };
}
