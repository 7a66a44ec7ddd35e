import type { XmlReader } from '../xml/read-xml.ts';
import { createKmlStyles, styleOf, type KmlStyle } from './kml-style.ts';

/** Follows the Style and StyleMap elements of a file. */
export interface KmlStyleReader {
  /** Called at the start of a Placemark. */
  begin(): void;
  start(element: string, xml: XmlReader): void;
  end(element: string, parent: string | undefined, text: string): void;
  /** The style of the Placemark: its own Style over the shared one (KML 2.3, 6.4). */
  current(): KmlStyle;
}

export function createKmlStyleReader(): KmlStyleReader {
  const styles = createKmlStyles();
  let inPlacemark = false;
  let own: KmlStyle | string | undefined;
  let url: string | undefined;
  let style: Record<string, string | number> | undefined;
  let styleId: string | undefined;
  let mapId: string | undefined;
  let key = '';
  /** The style of the open Pair, and of the Pair with the key `normal`. */
  let pair: KmlStyle | string | undefined;
  let normal: KmlStyle | string | undefined;

  const keep = (id: string | undefined, value: KmlStyle | string | undefined): void => {
    if (value === undefined) return;
    if (inPlacemark) own = value;
    if (id !== undefined) styles.share(id, value);
  };
  const resolve = (value: KmlStyle | string | undefined): KmlStyle | undefined =>
    typeof value === 'string' ? styles.find(value) : value;

  return {
    begin() {
      inPlacemark = true;
      own = undefined;
      url = undefined;
    },
    start(element, xml) {
      if (element === 'Style') {
        style = {};
        styleId = xml.attribute('id');
      } else if (element === 'StyleMap') {
        mapId = xml.attribute('id');
        normal = undefined;
      } else if (element === 'Pair') {
        pair = undefined;
        key = '';
      }
    },
    end(element, parent, text) {
      if (element === 'Style') {
        if (parent === 'Pair') pair = style;
        else keep(styleId, style);
        style = undefined;
      } else if (style !== undefined) {
        if (text !== '' && parent !== undefined) Object.assign(style, styleOf(parent, element, text));
      } else if (element === 'styleUrl') {
        if (parent === 'Pair') pair = text;
        else if (parent === 'Placemark') url = text;
      } else if (element === 'key' && parent === 'Pair') key = text;
      else if (element === 'Pair' && key === 'normal') normal = pair;
      else if (element === 'StyleMap') keep(mapId, normal);
    },
    current() {
      inPlacemark = false;
      return { ...(url === undefined ? undefined : styles.find(url)), ...resolve(own) };
    },
  };
}
