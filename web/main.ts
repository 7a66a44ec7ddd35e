// Runs in the browser, sent with its types stripped: the page at `/`.
import { ApiFailure, deleteSession, getUserWhoami } from './api.ts';
import { announce } from './element.ts';
import { language, messages } from './messages.ts';
import { failureNote, projectsPage } from './projects-page.ts';
import { signInPage } from './sign-in-page.ts';

const page = document.querySelector<HTMLElement>('#page')!;

document.documentElement.lang = language;

function showSignIn(note?: string): void {
  document.title = `${messages.signIn.title} · Platen`;
  page.replaceChildren(signInPage({ note, onSignedIn: () => void showProjects('signedIn') }));
  page.querySelector<HTMLElement>('input')?.focus();
}

async function showProjects(reason: 'opened' | 'signedIn'): Promise<void> {
  try {
    const user = await getUserWhoami();
    document.title = `${messages.projects.title} · Platen`;
    page.replaceChildren(projectsPage({ user, onSignOut: () => void signOut(), onSessionEnded }));
    if (reason === 'opened') return;
    page.querySelector<HTMLElement>('h1')?.focus();
    announce(messages.top.signedIn);
  } catch (failure) {
    if (isSignedOut(failure)) showSignIn(reason === 'opened' ? messages.signIn.ended : undefined);
    else page.replaceChildren(failureNote(failure, () => void showProjects(reason)));
  }
}

async function signOut(): Promise<void> {
  try {
    await deleteSession();
  } catch (failure) {
    if (!isSignedOut(failure)) {
      page.querySelector('main')?.prepend(failureNote(failure, () => void signOut()));
      return;
    }
  }
  history.replaceState(null, '', location.pathname);
  showSignIn();
  announce(messages.top.signedOut);
}

function onSessionEnded(): void {
  showSignIn(messages.signIn.ended);
}

function isSignedOut(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.code === 'unauthenticated';
}

// the server tells whether a session's cookie came along: asking without one would only log a 401
if (document.documentElement.dataset['session'] === 'yes') void showProjects('opened');
else showSignIn();
