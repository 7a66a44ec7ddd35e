import { isObject } from '../../base/is-object.ts';
import { given, isTexts, type Content, type Reports } from './findings.ts';
import { checkViewpoint } from './places.ts';

/** Checks what the schema cannot: viewpoints and pictures of steps. Content of previews has not been through a schema. */
export function checkStory({ story }: Content, reports: Reports): void {
  const { error } = reports;
  if (!given(story)) return;
  if (!isObject(story) || !Array.isArray(story['steps']))
    return error('/story', 'type', 'A story needs `steps`, an array.');
  for (const [index, step] of (story['steps'] as unknown[]).entries()) {
    const pointer = `/story/steps/${index}`;
    if (!isObject(step)) {
      error(pointer, 'type', 'A step must be an object.');
      continue;
    }
    const { title, viewpoint, picture } = step;
    if (typeof title !== 'string' || title.trim() === '')
      error(`${pointer}/title`, 'required', 'A step needs a title.');
    if (isObject(viewpoint)) checkViewpoint(viewpoint, `${pointer}/viewpoint`, reports);
    else if (given(viewpoint)) error(`${pointer}/viewpoint`, 'type', 'It must be a viewpoint.');
    for (const key of ['show', 'hide'])
      if (given(step[key]) && !isTexts(step[key]))
        error(`${pointer}/${key}`, 'type', 'It must be an array of names of layers.');
    if (given(picture)) checkPicture(picture, `${pointer}/picture`, reports);
  }
}

function checkPicture(picture: unknown, pointer: string, { error }: Reports): void {
  if (!isObject(picture)) return error(pointer, 'type', 'It must be an object.');
  const { datasourceId, url } = picture;
  if (!given(datasourceId) && !given(url))
    return error(pointer, 'required', 'A picture needs a datasource of the project, or an https address.');
  if (!given(url)) return;
  const isWithin = given(datasourceId) && String(url).startsWith('/data/');
  if (!isWithin && (!String(url).startsWith('https://') || !URL.canParse(String(url))))
    error(`${pointer}/url`, 'unusableUrl', 'It must be an address such as https://example.org/tree.jpg.');
}
