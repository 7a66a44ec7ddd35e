import { closeSync, openSync, writeSync } from 'node:fs';
import { openFile } from '@platen/formats/bytes/open-file';
import { openZip } from '@platen/formats/zip/open-zip';
import { packMember } from '@platen/formats/zip/pack-member';
import { open3tzWriter } from '@platen/formats/zip/write-3tz';

/** A process of its own, so that its memory and its start are measured: `bare`, `write` or `read`, folder, members. */
const [, , what, folder = '', count = '0'] = process.argv;
const members = Number(count);
const content = Buffer.alloc(500, 'a member of a tileset ');
const headerBytes = 45;
const chunkBytes = 1 << 18;
const nameOf = (i: number) => (i === 0 ? 'tileset.json' : `tiles/${i >> 10}/${i}.glb`);

const megabytes = () => process.memoryUsage.rss() / 2 ** 20;
const before = megabytes();
const cpu = process.cpuUsage();
const began = performance.now();
if (what === 'bare') writeBare();
else if (what === 'write') writeArchive();
else await readMember();
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - (what === 'read' ? 0 : began)) / 1000; // a reader's start counts
const added = process.resourceUsage().maxRSS / 1024 - before;
process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, megabytes: added }));

/** As many bytes as the members and their headers have, in chunks of the same size. */
function writeBare(): void {
  const file = openSync(`${folder}/bare`, 'w');
  const chunk = Buffer.alloc(chunkBytes, content);
  const total = members * (content.length + headerBytes);
  for (let at = 0; at < total; at += chunkBytes) writeSync(file, chunk, 0, Math.min(chunkBytes, total - at));
  closeSync(file);
}

function writeArchive(): void {
  const writer = open3tzWriter({ scratchFolder: folder, name: 'tiles' });
  for (let i = 0; i < members; i++) {
    content.writeUInt32LE(i);
    writer.add(packMember(nameOf(i), content, 'stored'));
  }
  writer.finish(`${folder}/tiles.3tz`);
}

async function readMember(): Promise<void> {
  const file = await openFile(`${folder}/tiles.3tz`);
  const zip = await openZip(file);
  const member = await zip.find(nameOf(members >> 1));
  const bytes = await zip.open(member!);
  if ((await bytes.read(0, 4)).length !== 4) throw new Error('the member is not whole');
  await file.close();
}
