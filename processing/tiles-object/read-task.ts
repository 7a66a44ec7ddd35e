import { join } from 'node:path';
import { SourceError } from '@platen/formats/source/source';
import { IdFilter } from '@platen/formats/citygml/id-filter';
import type { WaitingObject } from '@platen/formats/citygml/read-city-gml';
import type { CityObject } from '@platen/formats/city-object/city-object';
import { isGroup } from '@platen/formats/city-object/object-classes';
import { JobFailure, type JobContext } from '../job-type.ts';
import { reportToPool } from '../kit/serve-tasks.ts';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { keepsValuesOf, seeAttributes, seeValue, type AttributeFacts } from '../models/attribute-facts.ts';
import { readMesh } from './read-mesh.ts';
import { shapesOfFlatBuilding } from './footprint/flat-building.ts';
import { probeFootprints, readFootprints } from './footprint/read-footprints.ts';
import type { UsedHeights } from '../models/used-heights.ts';
import { createObjectRules, type RuledObject } from './object-rules.ts';
import { faults, notices } from './reader-messages.ts';
import { openPlacing } from './place/open-placing.ts';
import { openGround } from './place/stand-on-terrain.ts';
import { openWaitingShapes } from './place/waiting-shapes.ts';
import type { Settings } from './settings.ts';
import { makeShapes, type MadeShapes, type ShapeFault, type ShapeOptions } from './shape/make-shapes.ts';
import { openShapeFile } from './shape/shape-file.ts';
import { withChanges, type Shape } from './shape/shape.ts';
import { contentHashOf, withImageHashes } from './shape/hash-content.ts';
import { hashText } from './shape/hash-words.ts';
import { createShapeTable, texturedMetresOf, trianglesOf } from './shape/shape-index.ts';
import { createTranslate } from './source/code-lists.ts';
import type { ModelFile } from './source/model-file.ts';
import { createFileFinder } from '../models/find-side-file.ts';
import { probeModel, readModel, type ProbedModel } from './source/read-model.ts';
import type { CountedReject, ReadModelAnswer, ReadTask, Setup } from './tasks.ts';

/** How many rejected objects of a file are described. */
const maxRejects = 1000;

/** Reads a model into shapes, which go to a scratch file. */
export async function readTask(setup: Setup, task: ReadTask): Promise<ReadModelAnswer> {
  const { settings, found, codeLists, inputs, geoidFolder, folder, attempt, terrain } = setup;
  const { model: number } = task;
  const model = found.models[number]!;
  const isLinked = task.links !== undefined;
  const waitingObjects: WaitingObject[] = [];
  const surfaceIds = new IdFilter();
  const unit = `${attempt}-${number}${isLinked ? '-linked' : ''}`;
  const file = openShapeFile(join(folder, `shapes-${unit}`));
  const table = createShapeTable();
  const facts: AttributeFacts = new Map();
  const seen = { facts, keepsValues: keepsValuesOf(number, found.models.length) };
  const warnings = createWarningCounter();
  const rejects: CountedReject[] = [];
  const { warn } = warnings;
  let heights: UsedHeights | undefined;
  let objects = model.members?.membersBefore ?? 0;

  const reject = ({ id, class: name, attributes }: RuledObject, fault: ShapeFault): void => {
    if (rejects.length >= maxRejects) return;
    const { code, reason } = faults[fault];
    const message = `${model.name}: ${reason}`;
    rejects.push({
      code,
      message,
      feature: {
        file: model.name,
        reason,
        place: { feature: objects },
        ...(id !== '' && { id }),
        properties: { class: name, ...Object.fromEntries(attributes) },
        geometry: null,
      },
    });
  };
  const store = (shape: Shape): void => {
    const hashed = withImageHashes(shape, found.images);
    const packed = file.pack(hashed);
    const contentHash = contentHashOf(packed);
    const id = shape.id === '' ? `${shape.class}_${contentHash.toString(16).padStart(12, '0')}` : shape.id;
    const isWhole = id === shape.id && hashed === shape;
    const range = file.append(isWhole ? packed : file.pack(withChanges(shape, { id })));
    seeValue(seen, 'class', shape.class);
    seeAttributes(seen, shape.attributes);
    const { place, region } = shape;
    table.add({
      lon: place.lon,
      lat: place.lat,
      region,
      triangles: trianglesOf(shape),
      texturedMetres: texturedMetresOf(shape),
      range,
      idHash: hashText(id),
      contentHash,
    });
  };
  const waiting = terrain && openWaitingShapes(join(folder, `waiting-${unit}`));
  /** Puts what waits onto the terrain: each object for itself, but a model that is no city as a whole. */
  const standOnTerrain = async (): Promise<void> => {
    if (!terrain || !waiting) return;
    const ground = await openGround(terrain, settings.heights.offset ?? 0);
    let outside = 0;
    try {
      for (const group of waiting.groups(model.mesh !== undefined && model.mesh !== 'tile')) {
        const stood = await ground.stand(group);
        if (!stood) outside += group.length;
        for (const shape of stood ?? group) store(shape);
      }
    } finally {
      await ground.close();
      waiting.close();
    }
    if (outside > 0)
      warn(
        'outsideTerrain',
        `${model.name}: objects outside of ${terrain.source.name} stand at the heights of the file.`,
        undefined,
        outside,
      );
  };
  const answer = (failure?: ReadModelAnswer['failure']): ReadModelAnswer => {
    file.flush();
    file.close();
    const range = { path: file.path, start: 0, end: file.length };
    const taken = warnings.take();
    return {
      kind: 'read',
      model: number,
      table: table.finish(range),
      facts,
      heights,
      warnings: taken,
      rejects,
      isLinked,
      waiting: waitingObjects,
      surfaceIds: isLinked || failure ? undefined : surfaceIds.bits,
      failure,
    };
  };

  try {
    const reportBytes = createReport();
    const rules = await createObjectRules(settings, { file: model.name, warn, count: () => objects });
    const classes = new Set(settings.classes);
    const takeMade = (object: RuledObject, make: () => MadeShapes): void => {
      objects++;
      if (classes.size > 0 && !classes.has(object.class)) return;
      const { shapes, fault, flatSurfaces } = make();
      if (flatSurfaces > 0)
        warn(
          'flatSurfaces',
          `${model.name}: surfaces without an area are not shown.`,
          { id: object.id },
          flatSurfaces,
        );
      const isEmptyGroup = fault === 'withoutGeometry' && isGroup(object.class);
      if (fault !== undefined && shapes.length === 0 && !isEmptyGroup && rules.takes(object))
        reject(object, fault);
      const kept = shapes.filter((shape) => rules.takes(shape));
      for (const shape of kept) Object.assign(shape, { attributes: rules.attributesOf(shape) });
      if (waiting) waiting.add(kept);
      else kept.forEach(store);
    };
    const onObject = (object: CityObject, options: ShapeOptions): void =>
      takeMade(object.parts[0]!, () => makeShapes(object, options));
    const findImage =
      settings.textureFormat === 'none' ? undefined : createImageFinder(setup, model.name, warn);
    if (model.mesh !== undefined) {
      const read = await readMesh(setup, { ...model, mesh: model.mesh }, warn);
      heights = read.heights;
      for (const object of read.objects) onObject(object, { ...settings, placing: read.placing, findImage });
      await standOnTerrain();
      return answer();
    }
    const probed = await probe(model, settings, warn);
    if (probed.position === undefined) return answer();
    const opened = await openPlacing(model, probed, {
      settings: probed.settings,
      // the first reading of a model has warned of its place
      context: {
        inputs,
        warn: isLinked ? () => {} : warn,
        ...(geoidFolder !== undefined && { geoidFolder }),
      },
    });
    heights = opened.used;
    const options: ShapeOptions = { ...settings, placing: opened.placing, findImage };
    const findList = createFileFinder(found.codeLists);
    let linked = 0;
    const take = (object: CityObject): void => {
      objects = task.links?.waiting[linked++]?.part.membersBefore ?? objects;
      onObject(object, options);
    };
    if (model.part !== undefined) {
      let done = 0;
      await readFootprints(model.part, {
        onlyBuildings: probed.onlyBuildings,
        extrude: settings.extrude,
        scratch: join(folder, `parts-${unit}`),
        warn,
        onObject: take,
        onFlatBuilding(building) {
          takeMade({ ...building, class: 'Building' }, () => shapesOfFlatBuilding(building, options));
        },
        onProgress(share) {
          reportBytes(share * model.size - done);
          done = share * model.size;
        },
      });
      await standOnTerrain();
      return answer();
    }
    await readModel(model, {
      hasAppearances: settings.textureFormat !== 'none',
      theme: settings.theme,
      translate: found.codeLists.length === 0 ? undefined : createTranslate(codeLists, findList, model.name),
      onCrs: () => {},
      onNotice(notice, id, detail) {
        const { code, text } = notices[notice];
        warn(code, `${model.name}: ${text}`, { id, ...(detail !== '' && { detail }) });
      },
      onObject: take,
      links: task.links,
      ...(model.members && { onSurfaceId: (id) => surfaceIds.add(id) }),
      onWaiting(object) {
        objects++;
        waitingObjects.push(object);
      },
      onRead: reportBytes,
    });
    await standOnTerrain();
    return answer();
  } catch (error) {
    if (error instanceof SourceError) {
      await standOnTerrain().catch(() => {}); // what was read before counts as it does without terrain
      return answer({ code: error.code, message: `${model.name}: ${error.message}.` });
    }
    if (error instanceof JobFailure) return answer({ code: error.code, message: error.message });
    throw error;
  } finally {
    waiting?.close();
  }
}

/** Of a file, what is worth a message to the pool. */
const reportedBytes = 1 << 18;

/** Reports what was read since the last report, if it is enough. */
function createReport(): (bytes: number) => void {
  let unreported = 0;
  return (bytes) => {
    unreported += bytes;
    if (unreported < reportedBytes) return;
    reportToPool({ bytes: unreported });
    unreported = 0;
  };
}

/** Footprints without heights of their own stand on the ellipsoid. */
async function probe(
  model: ModelFile,
  settings: Settings,
  warn: JobContext['warn'],
): Promise<ProbedModel & { readonly settings: Settings; readonly onlyBuildings: boolean }> {
  if (model.part === undefined) return { ...(await probeModel(model)), settings, onlyBuildings: false };
  const { position, hasHeights, namesBuildings } = await probeFootprints(model.part, warn);
  return {
    crsText: undefined,
    position,
    verticalText: model.part.crs,
    onlyBuildings: namesBuildings,
    settings: hasHeights || settings.mode === 'terrain' ? settings : { ...settings, mode: 'asGiven' },
  };
}

function createImageFinder(
  { found }: Setup,
  from: string,
  warn: ReturnType<typeof createWarningCounter>['warn'],
): (image: string) => number | undefined {
  const find = createFileFinder(found.images);
  return (image) => {
    const number = find(image, from);
    if (number === undefined)
      warn(
        'missingTextures',
        `${from}: textures are not among the inputs. Upload them in one zip file with the model.`,
        { image },
      );
    return number;
  };
}
