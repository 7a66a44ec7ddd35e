import { escapeHtml } from './escape-html.ts';

/** Escapes text for content and quoted attributes; characters that XML 1.0 forbids become spaces. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(/[\uFFFE\uFFFF]/g, ' '));
}
