import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The version of the whole product, as the root package.json has it. */
export const version = (JSON.parse(text) as { version: string }).version;
