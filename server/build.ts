import { packedFolder, packRegister } from '@platen/formats/crs/register';
import { copyEngines, copyTools } from '@platen/viewer/build-engines';
import { builtFolder, installedEngines } from '@platen/viewer/engines';
import { buildScripts, builtScripts } from '@platen/viewer/script-source';
import { builtToolsFolder } from '@platen/viewer/tools';
import { buildIfStale } from '../web/build/build.ts';
import { buildForms } from './apps/app-pages/built-forms.ts';
import { listEngineFiles, listStartScripts } from './apps/app-pages/engine-files.ts';
import { listToolFiles } from './apps/app-pages/tool-files.ts';
import { bundleIfMissing } from './base/packages/packages.ts';
import { buildAbout } from './interface/about/build-about.ts';
import { readBuilt } from './interface/web-page/built-files.ts';

// npm run build: makes once what a start would make otherwise, and what an installation without development packages needs.
const say = (line: string) => process.stdout.write(`${line}\n`);

await buildIfStale(say);
await bundleIfMissing();
say('Copying the map viewers …');
await copyEngines(builtFolder);
await copyTools(builtToolsFolder);
await buildScripts(builtScripts);
say('Packing the register of coordinate reference systems …');
await packRegister(packedFolder);
say('Listing packages and licences …');
await buildAbout();
say('Compressing what browsers load …');
const versions = installedEngines().map(({ version }) => version);
const engines = await Promise.all(versions.flatMap((it) => [listEngineFiles(it), listToolFiles(it)]));
const page = readBuilt();
const listings = [...engines, listStartScripts(), ...(page ? [page.files, page.named] : [])];
await buildForms(listings.flatMap((files) => Array.from(files.values())));
