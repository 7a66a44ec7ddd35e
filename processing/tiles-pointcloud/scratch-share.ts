/** Points take room twice: as they were read, and as tiles. */
export const scratchShare = 1.6;
