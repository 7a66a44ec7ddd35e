/**
 * An event of an area for areas above it, which it cannot import. `server/connect-areas.ts` connects the listeners, so
 * all
 * calls against the order of areas are in one place.
 */
export class Hook<Args extends readonly unknown[]> {
  readonly #listeners = new Set<(...args: Args) => unknown>();

  /** Ignores a function that is already connected, as several services of one process share the hook. */
  connect(listener: (...args: Args) => unknown): void {
    this.#listeners.add(listener);
  }

  /** Calls the listeners in turn. The first error is thrown and ends the transaction of the caller. */
  async announce(...args: Args): Promise<void> {
    for (const listener of this.#listeners) await listener(...args);
  }
}
