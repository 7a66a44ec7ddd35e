import { BytesError } from '@platen/formats/bytes/bytes';
import { readNodePage, type SceneNode } from '@platen/formats/i3s/node-page';
import { readDocument, type FindFile } from '@platen/formats/i3s/scene-files';
import { asIndex, asObject } from '@platen/formats/json/read-values';
import type { InspectionContext } from '../inspector.ts';
import type { SceneLayerFiles } from './scene-layer-files.ts';

export interface NodeCounts {
  readonly nodes: number;
  readonly pages: number;
  readonly vertices: number;
  readonly features: number;
  readonly isEstimated: boolean;
  /** Number of missing node pages and, among a few nodes, missing geometries. */
  readonly missing: number;
  /** The first nodes with a geometry, for the thumbnail. */
  readonly drawn: readonly SceneNode[];
}

const maxPages = 200;
const maxDrawn = 200;

/** Counts nodes by their pages. I3S 1.6 has none, so the package's own count is used. */
export async function countNodes(
  { layer, find }: SceneLayerFiles,
  context: InspectionContext,
): Promise<NodeCounts> {
  const declaredCount = await declaredNodeCount(find);
  let [nodes, pages, vertices, features, missing] = [0, 0, 0, 0, 0];
  let isWhole = false;
  const drawn: SceneNode[] = [];
  const perPage = layer.nodesPerPage;
  const folder = layer.sublayers.length > 0 ? `sublayers/${layer.sublayers[0]!.id}/` : '';
  while (perPage !== undefined && perPage > 0 && pages < maxPages && !context.isOver()) {
    const path = `${folder}nodepages/${pages}`;
    const page = await readPage(find, path, { firstIndex: pages * perPage, context });
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
      if (drawn.length < maxDrawn && node.geometryResource !== undefined) drawn.push(node);
    }
    if (page.length < perPage) {
      isWhole = true;
      break;
    }
  }
  missing += await countMissing(find, folder, drawn);
  if (missing > 0)
    context.issues.add(
      'missingFiles',
      'Node pages or geometries of nodes are missing: upload the whole package again.',
      missing,
    );
  const scale = !isWhole && declaredCount !== undefined && nodes > 0 ? Math.max(1, declaredCount / nodes) : 1;
  return {
    nodes: declaredCount ?? Math.round(nodes * scale),
    pages,
    vertices: Math.round(vertices * scale),
    features: Math.round(features * scale),
    isEstimated: !isWhole || layer.sublayers.length > 1,
    missing,
    drawn,
  };
}

interface PageContext {
  readonly firstIndex: number;
  readonly context: InspectionContext;
}

async function readPage(
  find: FindFile,
  path: string,
  { firstIndex, context: { issues } }: PageContext,
): Promise<SceneNode[] | undefined> {
  try {
    const read = await readDocument(find, path);
    if (read === undefined) return undefined;
    const page = readNodePage(read.value, firstIndex);
    if (page === undefined)
      issues.add('brokenFile', `${path}.json is not a valid node page: the layer is damaged.`);
    return page;
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${path}.json: ${error.message}.`);
    return undefined;
  }
}

/** The node count in the package's metadata.json. */
async function declaredNodeCount(find: FindFile): Promise<number | undefined> {
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
    const candidates = await Promise.all([`${path}.bin.gz`, `${path}.bin`, path].map(find));
    if (candidates.every((one) => one === undefined)) missing++;
  }
  return missing;
}
