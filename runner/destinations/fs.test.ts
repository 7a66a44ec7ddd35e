import { destinationConformance } from './conformance.ts';
import { openFolder } from './fs.ts';
import { never, newFolder, onDisk } from './testing.ts';

destinationConformance('a folder', async (after) => {
  const base = await newFolder(after);
  const open = (signal = never()) =>
    openFolder({ type: 'fs', folder: 'maps/town' }, { publishFolder: base, signal });
  return {
    ...onDisk(`${base}/maps/town`),
    destination: await open(),
    again: open,
  };
});
