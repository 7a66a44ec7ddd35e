import { element } from './element.ts';
import { describeFailure } from './failure-text.ts';
import { icon } from './icons.ts';

/** A section that fills itself: a skeleton first, then what was loaded, or why it could not be. */
export function loaded<Value>(
  title: string,
  load: () => Promise<Value>,
  show: (value: Value) => readonly HTMLElement[],
): HTMLElement {
  const content = element('div', { 'aria-busy': 'true' }, element('div', { class: 'row-skeleton skeleton' }));
  void load()
    .then(show)
    .catch((failure: unknown) => [
      element(
        'p',
        { class: 'note note-bad', role: 'alert' },
        icon('alert'),
        element('span', {}, describeFailure(failure)),
      ),
    ])
    .then((nodes) => {
      content.removeAttribute('aria-busy');
      content.replaceChildren(...nodes);
    });
  return element('section', {}, element('h3', {}, title), content);
}
