/**
 * An occasion that an area announces to areas above it, which it may not import. `server/connect-areas.ts` says who
 * listens, so every call against the order of areas stands in one place.
 */
export class Hook<Args extends readonly unknown[]> {
  readonly #listeners = new Set<(...args: Args) => unknown>();

  /** Connecting the same function again changes nothing, as several services of one process share the hook. */
  connect(listener: (...args: Args) => unknown): void {
    this.#listeners.add(listener);
  }

  /** Calls the listeners one after the other. The first error ends it, and with it the transaction it runs in. */
  async announce(...args: Args): Promise<void> {
    for (const listener of this.#listeners) await listener(...args);
  }
}
