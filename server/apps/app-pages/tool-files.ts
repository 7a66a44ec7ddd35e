import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toolNames, type ToolName } from '@platen/contract/tools';
import { servedFolders, toolFolder, toolsOf, type Tool } from '@platen/viewer/tools';
import type { WebFile } from './web-file.ts';
import { webTypeOf } from './web-types.ts';

type ToolFiles = ReadonlyMap<string, WebFile>;

/** By the folders of the tools below an engine. */
const listed = new Map<string, Promise<ToolFiles>>();

/** The files of these tools by their addresses below an engine, as far as the tools run on it. */
export async function listToolFiles(
  engineVersion: string,
  names: readonly ToolName[] = toolNames,
): Promise<ToolFiles> {
  const tools = toolsOf(engineVersion).filter(({ name }) => names.includes(name));
  const files = await Promise.all(tools.map((tool) => filesOf(tool, toolFolder(engineVersion, tool))));
  return new Map(files.flatMap((some) => Array.from(some)));
}

/** They stay as they are while the service runs, and are listed once. */
function filesOf(tool: Tool, address: string): Promise<ToolFiles> {
  const known = listed.get(address);
  if (known) return known;
  const listing = listFiles(tool, address);
  listed.set(address, listing);
  listing.catch(() => listed.delete(address));
  return listing;
}

async function listFiles({ name, version, folder }: Tool, address: string): Promise<ToolFiles> {
  const files = new Map<string, WebFile>();
  for (const part of servedFolders.map((it) => join(folder, it)).filter((it) => existsSync(it))) {
    for (const entry of await readdir(part, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const inTool = path.slice(folder.length + 1).replaceAll(sep, '/');
      const type = webTypeOf(inTool);
      if (!entry.isFile() || type === undefined) continue;
      const { size: bytes } = await stat(path);
      const id = createHash('sha256').update(`${name}@${version}/${inTool} ${bytes}`).digest('hex');
      const etag = `W/"${version}-${bytes}"`;
      files.set(address + servedPathOf(inTool), { id, type, bytes, etag, read: () => readFile(path) });
    }
  }
  return files;
}

/** Scripts lie in the folder of the plugin itself, as with plugins of the registry. */
const servedPathOf = (path: string) => path.replace(/^dist\//, '');
