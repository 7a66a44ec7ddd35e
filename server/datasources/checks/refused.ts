/** Data that cannot be shown as the type says; the message says why and what mends it. */
export class UnusableData extends Error {}

/** Bytes of a file; fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;
