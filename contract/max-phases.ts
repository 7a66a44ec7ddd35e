/**
 * Limit of the phases per attempt; further progress counts towards the last one. A file of its own, since job
 * processes load it at their start.
 */
export const maxPhases = 200;
