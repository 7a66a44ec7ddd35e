const maxLength = 300;

/**
 * Names the source of data as text: attributions of tiles may be HTML, and the viewer shows a sign of its own before
 * them. @returns undefined if it names nothing
 */
export function plainAttribution(attribution: unknown): string | undefined {
  if (typeof attribution !== 'string') return undefined;
  const text = attribution.slice(0, 2000).replaceAll(/<[^<>]*>/g, '');
  const named = text
    .replace(/^\s*(?:©|&copy;|\(c\))\s*/i, '')
    .trim()
    .slice(0, maxLength);
  return named === '' ? undefined : named;
}
