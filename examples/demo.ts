import { openAsBlob } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { RequestFailed } from '@platen/client/client';
import { publishDemo } from './publish-demo.ts';

const usage = `Makes a project of the example data and publishes it as a 3D map.

  npm run demo                       asks for the password that the first start has printed
  npm run demo -- --password …       or PLATEN_ADMIN_PASSWORD in the environment

  --url       address of the service (PLATEN_URL, http://127.0.0.1:8080)
  --username  a super user (PLATEN_ADMIN_USERNAME, admin)
`;

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env['PLATEN_URL'] ?? 'http://127.0.0.1:8080' },
    username: { type: 'string', default: process.env['PLATEN_ADMIN_USERNAME'] ?? 'admin' },
    password: { type: 'string', default: process.env['PLATEN_ADMIN_PASSWORD'] ?? '' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

if (values.help) {
  say(usage);
} else {
  try {
    const password = values.password === '' ? await askPassword(values.username) : values.password;
    const { url, username } = values;
    const file = (name: string) => openAsBlob(new URL(`data/${name}`, import.meta.url));
    const address = await publishDemo({ url: url.replace(/\/+$/, ''), username, password, file, say });
    say(`\nThe map is published: ${address}`);
  } catch (error) {
    process.stderr.write(`${explain(error, values.url)}\n`);
    process.exitCode = 1;
  }
}

async function askPassword(username: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error(
      'Give the password with --password or PLATEN_ADMIN_PASSWORD: the first start has printed it.',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Password of ${username} (the first start has printed it): `);
  terminal.close();
  return answer.trim();
}

function explain(error: unknown, url: string): string {
  if (error instanceof RequestFailed) return `The service refused: ${error.message}`;
  const { cause, message } = error as Error;
  if (cause === undefined) return message;
  return `Nothing answers at ${url}. Start the service with “npm start” in another terminal, or give its address with --url.`;
}
