// Runs in the browser, on the page that lists the URLs of a datasource: adds a copy button to each. Without this script
// they can be selected by hand.

const { copy = 'Copy', copied = 'Copied' } = document.body.dataset;
const status = document.querySelector('[role="status"]');

for (const place of document.querySelectorAll<HTMLElement>('.copyable')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  const code = place.querySelector('code');
  const title = place.closest('section')?.querySelector('h2')?.textContent ?? '';
  button.setAttribute('aria-label', `${copy}: ${title}`);
  button.addEventListener('click', () => {
    void copyText(code).then((isDone) => {
      if (!isDone) return;
      button.textContent = copied;
      if (status) status.textContent = `${copied}: ${title}`;
      setTimeout(() => (button.textContent = copy), 2000);
    });
  });
  place.append(button);
}

/** Selects the text if the clipboard is unavailable, as on pages without https. */
async function copyText(code: HTMLElement | null): Promise<boolean> {
  if (!code) return false;
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
