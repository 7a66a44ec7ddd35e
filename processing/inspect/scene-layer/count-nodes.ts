import { BytesError } from '@platen/formats/bytes/bytes';
import { readNodePage, type SceneNode } from '@platen/formats/i3s/node-page';
import { readDocument, type FindFile } from '@platen/formats/i3s/scene-files';
import { asIndex, asObject } from '@platen/formats/json/read-values';
import type { Inspecting } from '../inspector.ts';
import type { FoundLayer } from './found-layer.ts';

export interface NodeCounts {
  readonly nodes: number;
  readonly pages: number;
  readonly vertices: number;
  readonly features: number;
  readonly isEstimated: boolean;
  /** Node pages, or the geometries of a few nodes, that are not there. */
  readonly missing: number;
  /** The first that have a geometry. */
  readonly drawn: readonly SceneNode[];
}

const mostPages = 200;
const mostDrawn = 200;

/** By the node pages; of the 1.6, which has none, by what the package says of itself. */
export async function countNodes({ layer, find }: FoundLayer, inspecting: Inspecting): Promise<NodeCounts> {
  const said = await nodeCountOf(find);
  let [nodes, pages, vertices, features, missing] = [0, 0, 0, 0, 0];
  let isWhole = false;
  const drawn: SceneNode[] = [];
  const perPage = layer.nodesPerPage;
  const folder = layer.sublayers.length > 0 ? `sublayers/${layer.sublayers[0]!.id}/` : '';
  while (perPage !== undefined && perPage > 0 && pages < mostPages && !inspecting.isOver()) {
    const path = `${folder}nodepages/${pages}`;
    const page = await readPage(find, path, { firstIndex: pages * perPage, inspecting });
    if (page === undefined) {
      if (pages === 0) missing++;
      isWhole = true;
      break;
    }
    pages++;
    for (const node of page) {
      nodes++;
      features += node.featureCount;
      vertices += node.vertexCount;
      if (drawn.length < mostDrawn && node.geometryResource !== undefined) drawn.push(node);
    }
    if (page.length < perPage) {
      isWhole = true;
      break;
    }
  }
  missing += await countMissing(find, folder, drawn);
  if (missing > 0)
    inspecting.issues.add(
      'missingFiles',
      'Node pages or geometries of nodes are missing: upload the whole package again.',
      missing,
    );
  const scale = !isWhole && said !== undefined && nodes > 0 ? Math.max(1, said / nodes) : 1;
  return {
    nodes: said ?? Math.round(nodes * scale),
    pages,
    vertices: Math.round(vertices * scale),
    features: Math.round(features * scale),
    isEstimated: !isWhole || layer.sublayers.length > 1,
    missing,
    drawn,
  };
}

interface Paging {
  readonly firstIndex: number;
  readonly inspecting: Inspecting;
}

async function readPage(
  find: FindFile,
  path: string,
  { firstIndex, inspecting: { issues } }: Paging,
): Promise<SceneNode[] | undefined> {
  try {
    const read = await readDocument(find, path);
    if (read === undefined) return undefined;
    const page = readNodePage(read.value, firstIndex);
    if (page === undefined)
      issues.add('brokenFile', `${path}.json is no valid page of nodes: the layer is damaged.`);
    return page;
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${path}.json: ${error.message}.`);
    return undefined;
  }
}

/** What metadata.json of a package says. */
async function nodeCountOf(find: FindFile): Promise<number | undefined> {
  try {
    return asIndex(asObject((await readDocument(find, 'metadata'))?.value)?.['nodeCount']);
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
}

async function countMissing(find: FindFile, folder: string, drawn: readonly SceneNode[]): Promise<number> {
  let missing = 0;
  const step = Math.max(1, Math.floor(drawn.length / 8));
  for (let i = 0; i < drawn.length; i += step) {
    const path = `${folder}nodes/${drawn[i]!.geometryResource}/geometries/0`;
    const there = await Promise.all([`${path}.bin.gz`, `${path}.bin`, path].map(find));
    if (there.every((one) => one === undefined)) missing++;
  }
  return missing;
}
