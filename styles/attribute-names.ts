const idName = /(?:^|[_\s-])(?:id|fid|gid|oid|objectid|uuid|guid|nr|no|nummer|number|plz|zip|code|key|ref)$/i;

/** Whether attributes of this name tell features apart, such as `OBJECTID` and `roadId`. */
export const namesIdentifier = (name: string): boolean => idName.test(separateWords(name));

const titleName =
  /^(?:name|title|titel|label|bezeichnung|bezeichng|bez|beschriftung)$|(?:^|[_\s-])(?:name|title|titel|bezeichnung)$/i;

/** Whether attributes of this name say what a feature is called. */
export const namesTitle = (name: string): boolean => titleName.test(separateWords(name));

const useName =
  /^(?:use|usage|function|funktion|land_?use|nutzung|nutzungsart|gebaeudefunktion|gebäudefunktion|building_?use|building_?function)$/i;

/** Whether attributes of this name say what features are used for. */
export const namesUse = (name: string): boolean => useName.test(name);

/** `areaKm2` → `area Km2`. */
export const separateWords = (name: string): string => name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
