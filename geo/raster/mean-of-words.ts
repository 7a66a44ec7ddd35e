/** The mean of four pixels as words of RGBA, weighed by alpha, rounded half up. Without lists, of which there would be millions. */
export function meanOfWords(a: number, b: number, c: number, d: number): number {
  const weights = (a >>> 24) + (b >>> 24) + (c >>> 24) + (d >>> 24);
  if (weights === 0) return 0;
  // what is shown stays so, however small it becomes
  const alpha = Math.max(1, Math.floor(weights / 4 + 0.5));
  let mean = alpha << 24;
  for (let shift = 0; shift < 24; shift += 8) {
    const sum =
      ((a >>> shift) & 255) * (a >>> 24) +
      ((b >>> shift) & 255) * (b >>> 24) +
      ((c >>> shift) & 255) * (c >>> 24) +
      ((d >>> shift) & 255) * (d >>> 24);
    mean |= Math.floor(sum / weights + 0.5) << shift;
  }
  return mean;
}
