import { attacksOn, type Attack } from './regex-attacks.ts';

/** Few enough that even tripling with each repetition stays below a second, before the next number is tried. */
const repetitions = [8, 12, 16, 22];
/** In steps, so that also the fifth power of the length is seen before it takes long. */
const attackLengths = [64, 256, 1024, 4096, 16_384];
/** One pass over the text takes some 50 µs, a pass from each of its characters 10 ms and more. */
const suspiciousMs = 1.5;
/** Four times the length costs four times as much, or sixteen times where growth is quadratic. */
const maxGrowth = 7;
const [fewTries, manyTries] = [5, 25];

/** The attack on an expression whose time grows faster than the text; undefined if none does. */
export function findSlowAttack(expression: RegExp): Attack | undefined {
  return attacksOn(expression).find((attack) => {
    const counts = attackLengths.map((length) => Math.ceil(length / attack.pump.length));
    return [...repetitions, ...counts]
      .toSorted((one, other) => one - other)
      .some((count) => isSlow(expression, attack, count));
  });
}

function isSlow(expression: RegExp, attack: Attack, count: number): boolean {
  if (fastest(expression, textOf(attack, count), 1) < suspiciousMs) return false;
  const [whole, quarter] = [textOf(attack, count), textOf(attack, Math.ceil(count / 4))];
  // on a busy machine a few tries may all be slow
  return [fewTries, manyTries].every((tries) => {
    const ms = fastest(expression, whole, tries);
    return ms >= suspiciousMs && ms / Math.max(fastest(expression, quarter, tries), 0.01) > maxGrowth;
  });
}

const textOf = ({ prefix, pump, suffix }: Attack, count: number) => prefix + pump.repeat(count) + suffix;

/** The CPU time of the fastest of some tries, in milliseconds: compiling the expression and collecting garbage count as well. */
function fastest(expression: RegExp, text: string, tries: number): number {
  let best = Infinity;
  for (let i = 0; i < tries && best >= suspiciousMs; i++) {
    expression.lastIndex = 0;
    const from = process.threadCpuUsage();
    if (expression.global) text.replace(expression, '');
    else expression.test(text);
    const { user, system } = process.threadCpuUsage(from);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
