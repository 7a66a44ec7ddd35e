import { packedFolder, packRegister } from '@platen/formats/crs/register';
import { copyEngines } from '@platen/viewer/build-engines';
import { builtFolder } from '@platen/viewer/engines';
import { buildScripts, builtScripts } from '@platen/viewer/script-source';
import { buildIfStale } from '../web/build/build.ts';

// npm run build: makes once what a start would make otherwise, and what an installation without development packages needs.
const say = (line: string) => process.stdout.write(`${line}\n`);

await buildIfStale(say);
say('Copying the map viewers …');
await copyEngines(builtFolder);
await buildScripts(builtScripts);
say('Packing the register of coordinate reference systems …');
await packRegister(packedFolder);
