import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { codeBlocksOf } from '../checks/markdown-code.ts';
import { commands } from './commands.ts';
import { platen } from './testing-platen.ts';
import { readCommandLine, settingsOf } from './read-command-line.ts';

test('the program prints the help, and of a command every option with its setting', async () => {
  const program = fileURLToPath(new URL('platen.js', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [program, 'runner', '--help'], { encoding: 'utf8' });
  assert.deepEqual({ code: status, out: stdout, err: '' }, await platen(['help', 'runner']));
  for (const [option, { setting }] of Object.entries(commands['runner']!.options))
    assert.match(stdout, new RegExp(`--${option} .*${setting} `));
});

test('the help names every command, each has one of its own, and groups list theirs', async () => {
  const general = await platen([]);
  assert.equal(general.code, 0);
  for (const [name, { args = [], options }] of Object.entries(commands)) {
    assert.match(general.out, new RegExp(`platen ${name} `));
    const { code, out } = await platen(['help', ...name.split(' ')]);
    assert.deepEqual([code, out], [0, (await platen([...name.split(' '), '-h'])).out]);
    for (const word of [...args.map((argument) => `<${argument.name}>`), ...Object.keys(options)])
      assert.ok(out.includes(word), `${name}: ${word}`);
  }
  const tasks = await platen(['task']);
  assert.ok(tasks.out.includes('platen task run') && !tasks.out.includes('platen app'));
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
  ['task rum', /Unknown command “task rum”\. Available: task list, task run\.$/],
  ['upload --project p', /Missing <file>: the files and folders to upload/],
  ['upload a', /Missing --project <project>, or PLATEN_PROJECT/],
  ['upload a --project p --overwrite=1', /--overwrite takes no value/],
  ['upload a --project p --overwrite --skip-existing', /either --overwrite or --skip-existing/],
  ['upload a --project p --parallel 0', /--parallel must be an integer of at least 1/],
  ['app release a b --project p', /Unexpected argument “b”\./],
  ['app publish a --project p --folder x', /--folder needs --credential <destination>/],
  ['start --port 80', /Unknown option --port: this command has no options/],
];

for (const [words, says] of wrong)
  test(`“platen ${words}” is refused with one line`, async () => {
    const { code, out, err } = await platen(words.split(' '));
    assert.deepEqual([code, out, err.trim().split('\n').length], [2, '', 1]);
    assert.match(err.trim(), says);
  });

test('what follows -- is an argument, whatever it looks like', () => {
  const words = ['--project', 'p', '--', '--help', '--', '-x'];
  assert.deepEqual(readCommandLine(commands['upload']!, words, {}).args, ['--help', '--', '-x']);
});

test('every command of the documentation is one, with these options', () => {
  const text = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8');
  const blocks = codeBlocksOf(text).filter(({ language }) => language === 'sh');
  const lines = blocks
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => line.startsWith('npx platen '));
  const used = new Set<string>();
  for (const line of lines) {
    const words = line.match(/"[^"]*"|\S+/g)!.slice(2);
    const name = [words.slice(0, 2).join(' '), words[0]!].find((start) => Object.hasOwn(commands, start));
    assert.ok(name, line);
    used.add(name);
    readCommandLine(commands[name]!, words.slice(name.split(' ').length), { PLATEN_PROJECT: 'City' });
  }
  assert.deepEqual(
    Object.keys(commands).filter((name) => !used.has(name)),
    ['start', 'runner'],
  );
});

test('options become settings, and count before those of the environment', () => {
  const env = { PLATEN_URL: 'http://a' };
  const words = ['--token-file', '/t', '--labels=a,b', '--memory', '512'];
  const runner = commands['runner']!;
  assert.deepEqual(settingsOf(runner, readCommandLine(runner, words, env).values), {
    PLATEN_RUNNER_TOKEN: '', // clears one from the environment
    PLATEN_RUNNER_TOKEN_FILE: '/t',
    PLATEN_RUNNER_LABELS: 'a,b',
    PLATEN_RUNNER_MEMORY_MB: '512',
  });
});
