// npm run bless: regenerates the committed files that derive from others.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { derivatives } from './derivatives.ts';
import { derive } from './derived.ts';

for (const derivative of derivatives) {
  const { file } = derivative;
  const content = await derive(derivative);
  const same = existsSync(file) && readFileSync(file, 'utf8') === content;
  if (!same) writeFileSync(file, content);
  process.stdout.write(`${same ? 'unchanged' : 'written  '} ${file}\n`);
}
