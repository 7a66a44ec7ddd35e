// Prints the tables of rooms and areas for docs/ARCHITECTURE.md.
import { rooms } from './rooms.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

process.stdout.write(row(['room', 'holds', 'may import']) + row(['---', '---', '---']));
for (const [name, { holds, imports }] of Object.entries(rooms))
  process.stdout.write(row([`\`${name}/\``, holds, code(imports) || 'nothing']));

for (const [name, { areas }] of Object.entries(rooms)) {
  if (!areas) continue;
  process.stdout.write(
    `\nThe areas of \`${name}/\`, lowest level first. An area imports only areas of lower levels; areas of the same level do not import each other:\n\n`,
  );
  process.stdout.write(row(['level', 'area', 'holds']) + row(['---', '---', '---']));
  for (const [level, group] of areas.entries()) {
    for (const [area, holds] of Object.entries(group))
      process.stdout.write(row([String(level + 1), area === '*' ? 'other folders' : `\`${area}\``, holds]));
  }
}
