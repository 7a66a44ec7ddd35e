/** Data that cannot be shown as its type; the message says why and how to fix it. */
export class UnusableData extends Error {}

/** Bytes of a file; fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;
