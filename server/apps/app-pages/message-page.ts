import { escapeHtml } from '@platen/viewer/escape-html';
import type { Language } from '@platen/viewer/page';

type Texts = readonly [heading: string, text: string];

/** Pages that are shown instead of a map. The texts are trusted and may contain markup. */
const messages = {
  /** The same text for missing apps and for apps that the visitor may not see. */
  missing: {
    status: 404,
    en: [
      'Map not found',
      'The map does not exist or is not public. If it was shared with you, <a href="/">sign in</a> first.',
    ],
    de: [
      'Karte nicht gefunden',
      'Die Karte existiert nicht oder ist nicht öffentlich. Wurde sie mit Ihnen geteilt, <a href="/">melden Sie sich</a> zuerst an.',
    ],
  },
  engineMissing: {
    status: 503,
    en: [
      'This map cannot be shown',
      'The map viewer version it requires is not installed. Tell an administrator.',
    ],
    de: [
      'Diese Karte kann nicht angezeigt werden',
      'Die Version des Kartenviewers, die sie benötigt, ist nicht installiert. Informieren Sie die Administration.',
    ],
  },
  tooLarge: {
    status: 413,
    en: [
      'This map is too large',
      'Its modules exceed 16 MiB in total. Its owner can remove modules or move large content to datasources.',
    ],
    de: [
      'Diese Karte ist zu groß',
      'Ihre Module überschreiten zusammen 16 MiB. Ihr Eigentümer kann Module entfernen oder große Inhalte in Datenquellen auslagern.',
    ],
  },
} as const satisfies Record<string, { status: number } & Record<Language, Texts>>;

export type Message = keyof typeof messages;

export const statusOfMessage = (message: Message) => messages[message].status;

/** These pages load nothing. */
export const messagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

export function messagePage(message: Message, language: Language): string {
  const [heading, text] = messages[message][language];
  return layOut(language, heading, `<p>${text}</p>`);
}

/** Lays out a page that is shown instead of a map. The heading is text, the rest is markup. */
export function layOut(language: Language, heading: string, markup: string): string {
  const title = escapeHtml(heading);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#0e6b78">
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center; padding: 24px; box-sizing: border-box;
    background: #eef4f5; color: #10242a; font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; }
  h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3; font-weight: 600; }
  a { color: #0b5f6b; }
  p { margin: 0; max-width: 40ch; color: #4b6068; }
  @media (prefers-color-scheme: dark) { body { background: #0b1316; color: #e8f0f1; } p { color: #a9bbc0; } a { color: #6fd2dd; } }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${markup}
</main>
</body>
</html>
`;
}
