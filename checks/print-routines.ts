// Prints a list of the functions of the database, with their triggers, for docs/database.md.
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

for (const path of globSync('server/base/database/routines/*.sql').toSorted()) {
  const text = readFileSync(path, 'utf8');
  const purpose = /^(?:-- .*\n)+/.exec(text)?.[0].replaceAll(/^-- /gm, '').replaceAll('\n', ' ').trim();
  if (purpose === undefined)
    throw new Error(`${path} does not begin with a comment that says what it is for.`);
  const triggers = [...text.matchAll(/create or replace trigger (\w+) (\w+ [^(]*?) on (\w+)/g)];
  const tables = Map.groupBy(triggers, ([, , event]) => event!.replace(/ of .*/, ''));
  const fires = [...tables].map(
    ([event, list]) => `${event} on ${[...new Set(list.map(([, , , table]) => `\`${table}\``))].join(', ')}`,
  );
  const name = basename(path, '.sql');
  process.stdout.write(
    `- **[${name}](../${path})**${fires.length > 0 ? ` (${fires.join('; ')})` : ''}: ${purpose}\n`,
  );
}
