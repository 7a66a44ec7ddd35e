export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A ratio beside what was asked for; a benchmark tells, it does not fail. */
export function printRatio(what: string, ratio: number, atLeast: number): void {
  print(`→ ${what}: ${ratio.toFixed(2)} (asked: ≥ ${atLeast}) ${ratio >= atLeast ? '✓' : '✗'}`);
}

/** The same for what is to be small. */
export function printAtMost(what: string, amount: number, atMost: number): void {
  print(`→ ${what}: ${amount.toFixed(0)} (asked: ≤ ${atMost}) ${amount <= atMost ? '✓' : '✗'}`);
}
