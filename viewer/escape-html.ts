const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text and quoted attributes; control characters, which HTML forbids, become spaces. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
    .trim();
}
