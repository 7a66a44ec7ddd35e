import { ApiFailure, postSession } from './api.ts';
import { element } from './element.ts';
import { describeFailure } from './failure-text.ts';
import { globe } from './globe.ts';
import { icon, mark } from './icons.ts';
import { messages } from './messages.ts';

interface Options {
  /** Why one is here. */
  readonly note: string | undefined;
  readonly onSignedIn: () => void;
}

const texts = messages.signIn;

/** The form that starts a session, beside a quiet globe. */
export function signInPage({ note, onSignedIn }: Options): HTMLElement {
  const username = field('username', {
    autocomplete: 'username',
    autocapitalize: 'none',
    spellcheck: 'false',
  });
  const password = field('password', { autocomplete: 'current-password', type: 'password' });
  const submit = element(
    'button',
    { class: 'button button-primary button-wide', type: 'submit' },
    texts.submit,
  );
  const alert = element('div', { id: 'sign-in-alert', role: 'alert' });
  const form = element(
    'form',
    { class: 'sign-in', novalidate: true, 'aria-labelledby': 'sign-in-title' },
    mark(44),
    element('h1', { id: 'sign-in-title' }, texts.title),
    element('p', { class: 'muted' }, texts.subtitle),
    note !== undefined && element('p', { class: 'note' }, note),
    alert,
    element('label', { for: 'username' }, texts.username),
    username,
    element('label', { for: 'password' }, texts.password),
    element('div', { class: 'reveal' }, password, revealButton(password)),
    submit,
  );

  const complain = (text: string, inputs: readonly HTMLInputElement[]) => {
    alert.replaceChildren(element('p', { class: 'note note-bad' }, icon('alert'), element('span', {}, text)));
    for (const input of inputs) {
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', alert.id);
    }
    inputs[0]?.focus();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (submit.getAttribute('aria-disabled') === 'true') return;
    alert.replaceChildren();
    for (const input of [username, password]) {
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-describedby');
    }
    const missing = [username, password].filter(({ value }) => value.trim() === '');
    if (missing.length > 0) return complain(texts.missing, missing);
    void signIn();
  });

  const signIn = async () => {
    submit.setAttribute('aria-disabled', 'true'); // `disabled` would lose the focus
    submit.textContent = texts.busy;
    try {
      await postSession({ username: username.value.trim(), password: password.value });
      onSignedIn();
    } catch (failure) {
      const isWrong = failure instanceof ApiFailure && failure.code === 'unauthenticated';
      complain(describeSignIn(failure), isWrong ? [password, username] : []);
      if (isWrong) password.select();
    } finally {
      submit.removeAttribute('aria-disabled');
      submit.textContent = texts.submit;
    }
  };

  return element(
    'div',
    { class: 'welcome' },
    element('main', { class: 'welcome-form' }, form),
    element(
      'div',
      { class: 'welcome-globe', 'aria-hidden': 'true' },
      globe({ centre: [12, 38], graticuleDegrees: 15 }),
      element('p', {}, texts.tagline),
    ),
  );
}

function field(name: string, attributes: Readonly<Record<string, string>>): HTMLInputElement {
  return element('input', { id: name, name, required: true, maxlength: 1024, ...attributes });
}

function revealButton(password: HTMLInputElement): HTMLButtonElement {
  const button = element(
    'button',
    {
      class: 'icon-button',
      type: 'button',
      'aria-pressed': 'false',
      'aria-label': texts.show,
      title: texts.show,
    },
    icon('eye'),
  );
  button.addEventListener('click', () => {
    const isShown = password.type === 'password';
    password.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  });
  return button;
}

function describeSignIn(failure: unknown): string {
  if (failure instanceof ApiFailure) {
    if (failure.code === 'unauthenticated') return texts.wrong;
    if (failure.code === 'forbidden') return texts.foreignAddress;
  }
  return describeFailure(failure);
}
