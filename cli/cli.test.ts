import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commands } from './commands.ts';
import { readOptions } from './read-options.ts';

const program = fileURLToPath(new URL('platen.js', import.meta.url));

function platen(...words: string[]) {
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the help names every command, and of a command every option with its setting', () => {
  const general = platen();
  assert.equal(general.status, 0);
  for (const name of Object.keys(commands)) assert.match(general.stdout, new RegExp(`platen ${name} `));
  const ofRunner = platen('runner', '--help');
  assert.deepEqual(ofRunner, platen('help', 'runner'));
  for (const [option, { setting }] of Object.entries(commands['runner']!.options))
    assert.match(ofRunner.stdout, new RegExp(`--${option} .*${setting} `));
});

const wrong: readonly (readonly [words: string, says: RegExp])[] = [
  ['run', /Unknown command “run”\. Available: start, runner/],
  ['constructor', /Unknown command “constructor”/],
  ['help run', /Unknown command “run”/],
  ['runner', /Missing --url <address>, or PLATEN_URL/],
  ['runner --urll x', /Unknown option --urll\. Available: --url, /],
  ['runner --constructor x', /Unknown option --constructor/],
  ['runner http://x', /Unexpected argument “http:\/\/x”/],
  ['runner --url', /--url needs a value/],
  ['runner --url --name x', /--url needs a value/],
  ['runner --url=', /--url needs a value/],
  ['runner --url a --url b', /--url was given twice/],
  ['runner --url a --token b --token-file c', /either --token or --token-file, not both/],
  ['runner --url a --memory 64', /--memory must be an integer of at least 128/],
  ['runner --url a --cpu-seconds 1.5', /--cpu-seconds must be an integer/],
  ['start --port 80', /Unknown option --port: this command has no options/],
];

for (const [words, says] of wrong)
  test(`“platen ${words}” is refused with one line`, () => {
    const { status, stdout, stderr } = platen(...words.split(' '));
    assert.deepEqual([status, stdout, stderr.trim().split('\n').length], [2, '', 1]);
    assert.match(stderr, says);
  });

test('options become settings, and count before those of the environment', () => {
  const env = { PLATEN_URL: 'http://a' };
  const words = ['--token-file', '/t', '--labels=a,b', '--memory', '512'];
  assert.deepEqual(readOptions(commands['runner']!, words, env), {
    PLATEN_RUNNER_TOKEN: '', // clears one from the environment
    PLATEN_RUNNER_TOKEN_FILE: '/t',
    PLATEN_RUNNER_LABELS: 'a,b',
    PLATEN_RUNNER_MEMORY_MB: '512',
  });
});
