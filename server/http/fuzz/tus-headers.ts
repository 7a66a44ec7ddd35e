import type { Random } from './random.ts';
import { hostileText } from './values.ts';

const numbers = ['0', '1', '3', '100', '-1', '1e9', '9007199254740991', '99999999999999999999', 'x', ''];

/** What the resumable uploads look at, mostly right: the description has no place for it. */
export function tusHeaders(path: string, random: Random): Record<string, string> {
  if (!/\/tus(\/|$)/.test(path)) return {};
  const number = () => (random.chance(0.7) ? String(random.integer(50)) : random.pick(numbers));
  return {
    ...(random.chance(0.95) && { 'tus-resumable': '1.0.0' }),
    ...(random.chance(0.7) && { 'upload-length': number() }),
    ...(random.chance(0.1) && { 'upload-defer-length': random.pick(['1', '1', '0']) }),
    ...(random.chance(0.7) && { 'upload-offset': number() }),
    ...(random.chance(0.8) && { 'upload-metadata': metadata(random) }),
    ...(random.chance(0.03) && { 'upload-concat': 'partial' }),
  };
}

function metadata(random: Random): string {
  if (random.chance(0.02)) return `a${' '.repeat(7000)}!`;
  const names = ['key', 'filename', 'relativePath', 'overwrite', 'filetype', 'a b', ''];
  const pairs = Array.from({ length: random.integer(4) }, () => {
    const text = random.chance(0.5) ? `f${random.integer(1000)}.bin` : hostileText(random);
    const value = random.chance(0.9) ? Buffer.from(text).toString('base64') : '=%=';
    return `${random.pick(names)} ${value}`;
  });
  return pairs.join(random.chance(0.9) ? ',' : ' ,,').slice(0, 8000);
}
