// Brings the frame into the state of the screen after the '#'. After a build the frame reloads and returns to it.
const PATIENCE_MS = 5000;
const frame = document.querySelector('iframe');
const screens = await (await fetch('/screens/list.json')).json();

document
  .querySelector('nav')
  .append(
    ...screens.map(({ name }) => Object.assign(document.createElement('a'), { href: `#${name}`, textContent: name })),
  );

const loaded = () => new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));

function fill(storage, items = {}) {
  storage.clear();
  for (const [key, value] of Object.entries(items)) storage.setItem(key, JSON.stringify(value));
}

/** Presses the first enabled button, label or summary with this text, as soon as there is one. */
async function press(text) {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const found = [...frame.contentDocument.querySelectorAll('button, label, summary')].find(
      (element) => element.textContent.trim().startsWith(text) && !element.disabled,
    );
    if (found) return found.click();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  console.error(`this screen has nothing to press named '${text}…'`);
}

async function show() {
  const screen = screens.find(({ name }) => name === location.hash.slice(1)) ?? screens[0];
  for (const link of document.querySelectorAll('nav a')) {
    if (link.textContent === screen.name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  await fetch(`/screens/chosen/${screen.name}`, { method: 'POST' });
  frame.src = 'about:blank';
  await loaded();
  fill(localStorage, screen.local);
  fill(sessionStorage, screen.session);
  frame.src = screen.path ?? '/';
  await loaded();
  // Only a reload restores a step.
  fill(sessionStorage, screen.session);
  frame.contentWindow.location.reload();
  await loaded();
  for (const text of screen.press ?? []) await press(text);
}

addEventListener('hashchange', show);
await show();
