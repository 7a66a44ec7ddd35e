import type { Language } from '@platen/viewer/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../../http/language.ts';
import { layOut } from '../app-pages/message-page.ts';

type Texts = readonly [heading: string, text: string];

const ended = {
  en: ['This link has expired', 'It no longer shows its map. Ask the person who sent it for a new one.'],
  de: [
    'Dieser Link ist abgelaufen',
    'Er zeigt seine Karte nicht mehr. Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen.',
  ],
} as const satisfies Record<Language, Texts>;

const missing = {
  en: [
    'This link is not valid',
    'It was closed, or part of it is missing. Ask the person who sent it for a new one.',
  ],
  de: [
    'Dieser Link ist ungültig',
    'Er wurde geschlossen, oder ein Teil fehlt. Bitten Sie die Person, die ihn Ihnen geschickt hat, um einen neuen.',
  ],
} as const satisfies Record<Language, Texts>;

const asking = {
  en: ['This map is protected by a password', 'You get the password from the person who sent you the link.'],
  de: [
    'Diese Karte ist durch ein Passwort geschützt',
    'Sie erhalten das Passwort von der Person, die Ihnen den Link geschickt hat.',
  ],
} as const satisfies Record<Language, Texts>;

const labels = {
  en: { password: 'Password', open: 'Open map' },
  de: { password: 'Passwort', open: 'Karte öffnen' },
} as const satisfies Record<Language, object>;

/** Why the form is shown again. */
const complaints = {
  wrong: { en: 'Wrong password.', de: 'Dieses Passwort ist falsch.' },
  tooMany: {
    en: 'Too many wrong passwords. Try again in 15 minutes.',
    de: 'Zu viele falsche Passwörter. Versuchen Sie es in 15 Minuten erneut.',
  },
} as const satisfies Record<string, Record<Language, string>>;

const statuses = { wrong: 403, tooMany: 429 } as const;
export type Complaint = keyof typeof complaints;

const formStyle = `<style>
  form { display: grid; gap: 8px; max-width: 280px; margin: 24px auto 0; text-align: left; }
  label { font-weight: 550; }
  input, button { padding: 8px 12px; border: 1px solid #8fa6ad; border-radius: 8px; background: #fff; color: #10242a; font: inherit; }
  button { border-color: #0e6b78; background: #0e6b78; color: #fff; font-weight: 550; cursor: pointer; }
  :focus-visible { outline: 2px solid #0e6b78; outline-offset: 2px; }
  [role="alert"] { color: #a3261b; }
  @media (prefers-color-scheme: dark) { input { background: #14212a; color: #e8f0f1; } [role="alert"] { color: #ff9b8f; } }
</style>`;

/** Reveals nothing about the app and works without a script; the password is sent to the current address. */
function passwordForm(language: Language, complaint: Complaint | undefined): string {
  const { password, open } = labels[language];
  const [heading, text] = asking[language];
  const said =
    complaint === undefined ? '' : `<p role="alert" id="said">${complaints[complaint][language]}</p>`;
  const described = complaint === undefined ? '' : ' aria-invalid="true" aria-describedby="said"';
  const form = `${formStyle}
<p>${text}</p>
<form method="post" autocomplete="off">
<label for="password">${password}</label>
<input id="password" name="password" type="password" required maxlength="1024" autofocus${described}>
${said}
<button>${open}</button>
</form>`;
  return layOut(language, heading, form);
}

/** Origins that may embed the page: those that may embed the map. */
type Frames = readonly string[];

/** The same page for every invalid link. Any page may embed it, because the owner of the link is unknown. */
export function sendNoLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(request);
  const [heading, text] = missing[language];
  return send(reply.code(404), layOut(language, heading, `<p>${text}</p>`), ['*']);
}

export function sendEnded(request: FastifyRequest, reply: FastifyReply, frames: Frames): FastifyReply {
  const language = languageOf(request);
  const [heading, text] = ended[language];
  return send(reply.code(410), layOut(language, heading, `<p>${text}</p>`), frames);
}

export function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { frames, complaint }: { frames: Frames; complaint?: Complaint },
): FastifyReply {
  const status = complaint === undefined ? 200 : statuses[complaint];
  return send(reply.code(status), passwordForm(languageOf(request), complaint), frames);
}

function send(reply: FastifyReply, html: string, frames: Frames): FastifyReply {
  const ancestors = frames.includes('*') ? '*' : ["'self'", ...frames].join(' ');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors ${ancestors}; base-uri 'none'`;
  return reply
    .headers({ ...secretive, vary: 'accept-language', 'content-security-policy': policy })
    .header('content-type', 'text/html; charset=utf-8')
    .send(html);
}

/** For all that is answered below a secret address. */
export const secretive = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;
