export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a ratio and its target. A missed target does not fail the benchmark. */
export function printRatio(what: string, ratio: number, atLeast: number): void {
  print(`→ ${what}: ${ratio.toFixed(2)} (target: ≥ ${atLeast}) ${ratio >= atLeast ? '✓' : '✗'}`);
}

/** Prints an amount and its upper limit. */
export function printAtMost(what: string, amount: number, atMost: number): void {
  print(
    `→ ${what}: ${amount.toFixed(amount < 100 ? 1 : 0)} (target: ≤ ${atMost}) ${amount <= atMost ? '✓' : '✗'}`,
  );
}

/** Prints a share and its upper limit, in percent. */
export function printPercentage(what: string, share: number, atMost: number): void {
  const percent = share * 100;
  print(`→ ${what}: ${percent.toFixed(1)} % (target: ≤ ${atMost} %) ${percent <= atMost ? '✓' : '✗'}`);
}
