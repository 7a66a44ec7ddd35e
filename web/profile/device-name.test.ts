import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceName } from './device-name.ts';

test('browsers and systems are named, other programs by what they call themselves', () => {
  const names: Readonly<Record<string, string>> = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0': 'Firefox · Linux',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0':
      'Edge · Windows',
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36':
      'Chrome · Android',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Mobile/15E148 Safari/604.1':
      'Safari · iOS',
    'python-requests/2.34.0': 'python-requests/2.34.0',
    'curl/8.20 (x86_64)': 'curl/8.20',
    '': '',
  };
  for (const [userAgent, name] of Object.entries(names)) assert.equal(deviceName(userAgent), name);
});
