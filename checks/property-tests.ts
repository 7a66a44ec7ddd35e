import fc from 'fast-check';

/**
 * Lets properties take the same cases in every run, so that CI fails for what a change broke and nothing else.
 * `PLATEN_PROPERTY_SEED` chooses others, and `PLATEN_PROPERTY_RUNS` more of them where a property does not name their
 * number; `npm run torture` sets both.
 */
export function configureProperties(env: NodeJS.ProcessEnv): void {
  const { PLATEN_PROPERTY_SEED: seed = '1', PLATEN_PROPERTY_RUNS: runs } = env;
  fc.configureGlobal({ seed: Number(seed), ...(runs !== undefined && { numRuns: Number(runs) }) });
}
