/** Removes tokens from paths that users may have copied from an address, also within other addresses. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(\/|%2f)(data\1t|share)\1[\w-]{16,}/gi, '$1$2$1removed');
}
