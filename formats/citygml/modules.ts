export interface CityGmlModule {
  /** `Building`; `Core` of the core itself. */
  readonly name: string;
  /** `2.0` */
  readonly version: string;
}

const names: Readonly<Record<string, string>> = {
  appearance: 'Appearance',
  bridge: 'Bridge',
  building: 'Building',
  cityfurniture: 'CityFurniture',
  cityobjectgroup: 'CityObjectGroup',
  construction: 'Construction',
  dynamizer: 'Dynamizer',
  generics: 'Generics',
  landuse: 'LandUse',
  pointcloud: 'PointCloud',
  relief: 'Relief',
  texturedsurface: 'TexturedSurface',
  transportation: 'Transportation',
  tunnel: 'Tunnel',
  vegetation: 'Vegetation',
  versioning: 'Versioning',
  waterbody: 'WaterBody',
};

/** OGC 08-007r1, OGC 12-019 and OGC 20-010, each in its table of namespaces. */
const ogc = /^https?:\/\/www\.opengis\.net\/citygml\/(?:([a-z]+)\/)?(\d\.\d)\/?$/;
/** The drafts before 1.0 had one namespace for everything. */
const draft = /^https?:\/\/www\.citygml\.org\/citygml\/(?:1\/0\/0|0\/[34]\/0)\/?$/;

export function moduleOf(namespace: string): CityGmlModule | undefined {
  const [, module, version] = ogc.exec(namespace) ?? [];
  if (version !== undefined) {
    const name = module === undefined ? 'Core' : (names[module] ?? module);
    return { name, version };
  }
  return draft.test(namespace) ? { name: 'Core', version: '0.4' } : undefined;
}

/** Namespaces that are neither CityGML nor an extension, but common in GML. */
const common =
  /^https?:\/\/(?:www\.)?(?:opengis\.net\/(?:gml|wfs|ows|swe)|w3\.org\/|isotc211\.org\/|standards\.iso\.org\/)|^urn:oasis:/;

/** Whether the namespace is that of an application domain extension (ADE). */
export function isExtension(namespace: string): boolean {
  return moduleOf(namespace) === undefined && !common.test(namespace);
}
