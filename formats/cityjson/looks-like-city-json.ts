import type { Bytes } from '../bytes/bytes.ts';
import { parseAt, scanMembers, skipSpace } from '../json/scan-members.ts';

const tailBytes = 1 << 16;
const ownMembers = new Set(['CityObjects', 'vertices', 'transform', 'metadata', 'appearance', 'extensions']);
const types = new Set<unknown>(['CityJSON', 'CityJSONFeature']);

/** The "type" member may follow gigabytes of vertices, so the end of the file is checked as well. */
export async function looksLikeCityJson(head: Buffer, bytes: Bytes): Promise<boolean> {
  const start = skipSpace(head, head[0] === 0xef ? 3 : 0);
  if (head[start] !== 123) return false;
  let verdict: boolean | undefined;
  let isLikely = false;
  const see = (name: string, from: number, to: number | undefined): boolean => {
    if (name === 'CityObjects') verdict = true;
    if (name === 'type' && to !== undefined) verdict = types.has(parseAt(head, from, to));
    isLikely ||= ownMembers.has(name);
    return verdict === undefined;
  };
  const { state } = scanMembers(head, start, see, (name, from) => see(name, from, undefined));
  if (verdict !== undefined || state !== 'cutOff' || !isLikely) return verdict ?? false;
  const tail = await bytes.read(Math.max(0, bytes.size - tailBytes), tailBytes);
  return /"type"\s*:\s*"CityJSON(?:Feature)?"|"CityObjects"\s*:\s*\{/.test(
    Buffer.from(tail).toString('latin1'),
  );
}
