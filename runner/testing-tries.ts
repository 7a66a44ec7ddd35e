/** Makes each try, and returns the names of those that were not refused. */
export async function findPossible(tries: Record<string, () => unknown>): Promise<string[]> {
  const able: string[] = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      able.push(name);
    } catch {
      // then it is not able to
    }
  }
  return able;
}
